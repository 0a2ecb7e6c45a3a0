/**
 * Yields the same values, requesting each one while the previous one is processed. Aborts `stop` when the consumer
 * ends, to cancel the pending request.
 */
export async function* readAhead<T>(values: AsyncIterable<T>, stop: AbortController): AsyncIterable<T> {
  const source = values[Symbol.asyncIterator]()
  let next = source.next()
  try {
    for (;;) {
      const { done, value } = await next
      if (done) return
      next = source.next()
      // An error is thrown when the value is awaited.
      next.catch(() => undefined)
      yield value
    }
  } finally {
    stop.abort()
    await source.return?.()
  }
}
