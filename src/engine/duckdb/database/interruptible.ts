import type { DuckDBConnection } from '@duckdb/node-api'

/** Milliseconds. An interrupt has no effect before a statement has started, so it is repeated. */
const INTERRUPT_EVERY_MS = 10

/** Runs statements on a connection. When the signal aborts, interrupts the running statement and those after it. */
export async function interruptible<T>(
  connection: DuckDBConnection,
  signal: AbortSignal | undefined,
  run: () => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted()
  let timer: NodeJS.Timeout | undefined
  const interrupt = (): void => {
    connection.interrupt()
    timer = setTimeout(interrupt, INTERRUPT_EVERY_MS)
  }
  signal?.addEventListener('abort', interrupt, { once: true })
  try {
    return await run()
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  } finally {
    signal?.removeEventListener('abort', interrupt)
    clearTimeout(timer)
  }
}
