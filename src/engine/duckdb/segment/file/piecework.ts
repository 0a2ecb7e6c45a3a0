/**
 * Does pieces of work, at most `width` at a time, in order of their start. After a failure no further piece is started;
 * the promise rejects when no piece is running any more.
 */
export async function doPieces<T>(
  pieces: Iterable<T>,
  width: number,
  work: (piece: T) => Promise<void>,
): Promise<void> {
  const rest = Iterator.from(pieces)
  let failed = false
  async function lane(): Promise<void> {
    while (!failed) {
      const { value, done } = rest.next()
      if (done) return
      try {
        await work(value)
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  const lanes = await Promise.allSettled(Array.from({ length: width }, lane))
  for (const result of lanes) if (result.status === 'rejected') throw result.reason
}
