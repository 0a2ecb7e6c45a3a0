import type { FastifyRequest } from 'fastify'
import type { Identity } from '../../access/identity.ts'
import type { StoredAccess } from '../../access/stored-access.ts'
import { problem } from '../../errors.ts'
import type { Access } from '../../query/access/access.ts'

/** Who calls, and what they may see. */
export interface Caller {
  readonly access: Access
  /** What `access` was read from, for work done on the caller's behalf after the request. */
  readonly stored: StoredAccess
  /** Absent: nobody showed who they are, or need not. */
  readonly identity?: Identity
}

const callers = new WeakMap<FastifyRequest, Caller>()

/** Of a request nobody decided about. */
const nobody: Access = { publicOnly: true }

/** What narrows the caller's view; decided once, when the request arrives (auth.ts). */
export function callerAccess(request: FastifyRequest): Access {
  return callers.get(request)?.access ?? nobody
}

export function callerStoredAccess(request: FastifyRequest): StoredAccess {
  return callers.get(request)?.stored ?? { publicOnly: true }
}

export function callerIdentity(request: FastifyRequest): Identity | undefined {
  return callers.get(request)?.identity
}

export function setCaller(request: FastifyRequest, caller: Caller): void {
  callers.set(request, caller)
}

/** Why work stopped when the client closed its connection; nobody is left to read an answer. */
export class ClientLeft extends Error {
  constructor() {
    super('The client closed the connection')
    this.name = 'ClientLeft'
  }
}

const controllers = new WeakMap<FastifyRequest, AbortController>()

/**
 * Aborted when the client leaves (reason: ClientLeft) or when limits.timeMs has passed since the body was read
 * (reason: the ENGINE_TIMEOUT problem). Everything that waits on behalf of a request takes it.
 */
export function requestSignal(request: FastifyRequest): AbortSignal {
  return controller(request).signal
}

/** Ends the work of a request because its client is gone. */
export function abortForClient(request: FastifyRequest): void {
  controller(request).abort(new ClientLeft())
}

/** Ends the work of a request because its time is over. */
export function abortForTime(request: FastifyRequest): void {
  controller(request).abort(problem('ENGINE_TIMEOUT', {}))
}

function controller(request: FastifyRequest): AbortController {
  let found = controllers.get(request)
  if (found === undefined) {
    found = new AbortController()
    controllers.set(request, found)
  }
  return found
}
