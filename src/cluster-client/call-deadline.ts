/** Combined cancellation of a call: by its caller, by the timeout of the client, or by closing the client. */
interface CallDeadline {
  readonly signal: AbortSignal
  readonly isOver: boolean
  clear(): void
}

/**
 * Creates a separate signal for the call. It aborts without a reason: the caller's reason may carry a code that the
 * connection would mistake for a fault of the node.
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
