/** Memory to let go before a collection is worth its price. */
const ENOUGH = 2 ** 27

let freed = 0

/**
 * Reports that shared memory is not referenced any more. V8 does not count shared memory when it decides whether to
 * collect garbage: without a hint, arrays that have become old stay for hours. It does count unshared memory; a buffer
 * that is dropped at once, and whose pages are never touched, makes it start an incremental collection.
 */
export function reportFreedMemory(bytes: number): void {
  freed += bytes
  if (freed < ENOUGH) return
  freed = 0
  void new ArrayBuffer(ENOUGH)
}

/** The same for an unknown amount. */
export const reportMuchFreedMemory = (): void => reportFreedMemory(ENOUGH)
