import { problem } from '../errors.ts'

/**
 * Yields batches, each of which must arrive within `limitMs`; the time of the consumer does not count. `make` gets the
 * signal that aborts the work.
 */
export async function* timedBatches<T>(
  make: (signal: AbortSignal) => AsyncIterable<T>,
  signal: AbortSignal,
  limitMs: number,
): AsyncIterable<T> {
  const late = new AbortController()
  const batches = make(AbortSignal.any([signal, late.signal]))[Symbol.asyncIterator]()
  try {
    for (;;) {
      const timer = setTimeout(() => late.abort(problem('ENGINE_TIMEOUT', {})), limitMs)
      const next = await batches.next().finally(() => clearTimeout(timer))
      if (next.done === true) return
      yield next.value
    }
  } finally {
    await batches.return?.()
  }
}
