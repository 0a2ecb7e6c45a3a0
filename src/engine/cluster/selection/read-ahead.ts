/** The same values, each asked for while the one before it is worked on; `stop` ends what is under way when nobody waits. */
export async function* readAhead<T>(values: AsyncIterable<T>, stop: AbortController): AsyncIterable<T> {
  const source = values[Symbol.asyncIterator]()
  let next = source.next()
  try {
    for (;;) {
      const { done, value } = await next
      if (done) return
      next = source.next()
      // Its failure is told when its turn comes.
      next.catch(() => undefined)
      yield value
    }
  } finally {
    stop.abort()
    await source.return?.()
  }
}
