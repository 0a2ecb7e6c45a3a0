import type { FastifyInstance, FastifyRequest } from 'fastify'
import { onArrival } from '../on-arrival.ts'
import { abortForClient } from '../request/caller.ts'
import { onRequestEnd } from '../request/request-end.ts'
import type { Services } from '../services.ts'

interface StopOptions {
  /** Grace period for running requests. Milliseconds; 10 seconds by default. */
  readonly graceMs?: number
}

const GRACE_MS = 10_000

const stopping = new WeakSet<object>()
const running = new WeakMap<object, Set<FastifyRequest>>()

/** Tracks running requests, so that a stop can wait for them and cancel those that take too long. */
export function trackRequests(app: FastifyInstance): void {
  const requests = new Set<FastifyRequest>()
  running.set(app.server, requests)
  onArrival(app, (request) => {
    requests.add(request)
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    // HTTP/2 has no such header: the server closes its connections itself.
    if (isStopping(app) && request.raw.httpVersionMajor < 2) reply.header('connection', 'close')
    done(null, payload)
  })
  onRequestEnd(app, (request) => requests.delete(request))
  app.addHook('preClose', async () => {
    stopping.add(app.server)
  })
}

export function isStopping(app: FastifyInstance): boolean {
  return stopping.has(app.server)
}

/**
 * Stops in order: accept no new connections, let running requests finish within the grace period or cancel them, end
 * background work at its next step, then close the engine and the store.
 */
export async function stopServer(app: FastifyInstance, services: Services, options: StopOptions = {}): Promise<void> {
  stopping.add(app.server)
  const late = setTimeout(() => {
    for (const request of running.get(app.server) ?? []) abortForClient(request)
    app.server.closeAllConnections()
  }, options.graceMs ?? GRACE_MS)
  try {
    await app.close()
  } finally {
    clearTimeout(late)
    await services.tagging?.stop()
    await services.notifications?.stop()
    await services.engine.close()
    await services.store.close()
  }
}
