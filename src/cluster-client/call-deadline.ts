/** What can end a call: its caller, the ceiling of the client, the closing of the client. */
export interface CallDeadline {
  readonly signal: AbortSignal
  readonly isOver: boolean
  clear(): void
}

/**
 * A signal of the call's own. It aborts without a reason: the one of the caller may carry a code that the connection
 * would take for a fault of the node.
 */
export function callDeadline(timeoutMs: number, others: readonly (AbortSignal | undefined)[]): CallDeadline {
  const controller = new AbortController()
  let isOver = false
  const abort = (): void => controller.abort()
  const timer = setTimeout(() => {
    isOver = true
    abort()
  }, timeoutMs)
  for (const other of others) {
    if (other?.aborted) abort()
    else other?.addEventListener('abort', abort, { once: true })
  }
  return {
    signal: controller.signal,
    get isOver() {
      return isOver
    },
    clear: () => {
      clearTimeout(timer)
      for (const other of others) other?.removeEventListener('abort', abort)
    },
  }
}
