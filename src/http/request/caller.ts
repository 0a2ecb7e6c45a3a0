import type { FastifyRequest } from 'fastify'
import type { Identity } from '../../access/identity.ts'
import type { StoredAccess } from '../../access/rights/stored-access.ts'
import { problem } from '../../errors.ts'
import type { Access } from '../../query/access/access.ts'

/** Identity and view of a caller. */
export interface Caller {
  readonly access: Access
  /** Unparsed form of `access`, for work done on behalf of the caller after the request. */
  readonly stored: StoredAccess
  /** Absent: not authenticated, or authentication is off. */
  readonly identity?: Identity
}

const callers = new WeakMap<FastifyRequest, Caller>()

/** Access of a request that was not authenticated. */
const nobody: Access = { publicOnly: true }

/** Returns the view of the caller; determined once, when the request arrives (auth.ts). */
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

/** Abort reason when the client closed its connection, so that no answer can be sent. */
export class ClientLeft extends Error {
  constructor() {
    super('The client closed the connection')
    this.name = 'ClientLeft'
  }
}

const controllers = new WeakMap<FastifyRequest, AbortController>()

/**
 * Signal that aborts when the client leaves (reason: ClientLeft) or when limits.timeMs has passed since the body was
 * read (reason: the ENGINE_TIMEOUT problem). Pass it to everything that waits on behalf of a request.
 */
export function requestSignal(request: FastifyRequest): AbortSignal {
  return controller(request).signal
}

/** Aborts a request because its client left. */
export function abortForClient(request: FastifyRequest): void {
  controller(request).abort(new ClientLeft())
}

/** Aborts a request because its time limit passed. */
export function abortForTime(request: FastifyRequest): void {
  controller(request).abort(problem('ENGINE_TIMEOUT', {}))
}

/** True if the client closed its connection before the answer was sent. */
export function hasLeft(request: FastifyRequest): boolean {
  return controllers.get(request)?.signal.reason instanceof ClientLeft
}

function controller(request: FastifyRequest): AbortController {
  let found = controllers.get(request)
  if (found === undefined) {
    found = new AbortController()
    controllers.set(request, found)
  }
  return found
}
