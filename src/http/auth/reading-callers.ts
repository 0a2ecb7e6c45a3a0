import type { FastifyInstance } from 'fastify'
import { readingCaller } from '../../engine/reading-caller.ts'
import { callerKey } from './caller-limits.ts'

/** Makes the caller of a request known to the engine while the request reads. */
export function markReadingCallers(app: FastifyInstance, proxies: readonly string[]): void {
  app.addHook('preHandler', (request, _reply, done) => readingCaller.run(callerKey(request, proxies), done))
}
