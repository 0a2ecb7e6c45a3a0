import type { DuckDBConnection } from '@duckdb/node-api'

/** What ignores an interruption, because no statement had begun, is interrupted again after this many ms. */
const INTERRUPT_EVERY_MS = 10

/** Runs statements on a connection; an aborted signal interrupts the one that runs, and those behind it. */
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
