import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Caller that the current work is done for, so that engines can share scarce resources fairly between callers. Set
 * around request handlers; unset for internal work of the server.
 */
export const readingCaller = new AsyncLocalStorage<string>()
