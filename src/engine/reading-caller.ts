import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Who the running work is for, so that engines can share what is scarce fairly between callers. Set around the handler
 * of a request; work of the server itself has none.
 */
export const readingCaller = new AsyncLocalStorage<string>()
