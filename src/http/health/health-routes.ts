import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Engine, EngineHealth } from '../../engine/engine.ts'
import { problem } from '../../errors.ts'
import { sendJson } from '../answer/send-json.ts'
import { sendProblem } from '../answer/send-problem.ts'
import { prettyParameter } from '../routes/explore-parameters.ts'
import type { Services } from '../services.ts'
import { isStopping } from './stop-server.ts'

const Health = Type.Object(
  {
    status: Type.String({ description: '`ok`.' }),
    version: Type.String(),
    engine: Type.Optional(Type.String({ description: 'Name of the engine.' })),
    tagging: Type.Optional(Type.String({ description: 'Storage of the tag log, and problems that delay tags.' })),
    subscriptions: Type.Optional(
      Type.String({ description: 'State of subscriptions, and problems with reading events.' }),
    ),
  },
  { $id: 'Health', description: 'The check succeeded.' },
)

const prettyOnly = Type.Object(prettyParameter)

/** Liveness and readiness probes. */
export function healthRoutes(app: FastifyInstance, services: Services): void {
  const { engine, version } = services
  const schema = { tags: ['Server'], querystring: prettyOnly, response: { 200: Health } }
  /** Detail of the last log line, until the engine is healthy again. */
  let told: string | undefined

  app.get(
    '/livez',
    { schema: { ...schema, operationId: 'isAlive', summary: 'Liveness probe' } },
    async (request, reply) => sendJson(request, reply, { status: 'ok', version }, { tag: 'none' }),
  )

  app.get(
    '/readyz',
    { schema: { ...schema, operationId: 'isReady', summary: 'Readiness probe' } },
    async (request, reply) => {
      if (isStopping(app)) throw problem('ENGINE_UNAVAILABLE', { reason: 'The server is stopping' })
      const health = await healthOf(engine)
      if (!health.ok) {
        // probes ask every few seconds
        if (health.detail !== told)
          request.log.warn({ detail: health.detail, err: health.fault }, 'the engine is not healthy')
        told = health.detail
        // `detail` is written for clients; thrown errors go to the log only.
        const found = problem('ENGINE_UNAVAILABLE', health.fault === undefined ? { reason: health.detail } : {})
        return sendProblem(request, reply, found)
      }
      told = undefined
      const tagging = await requireHealth(services.tagging)
      const subscriptions = await requireHealth(services.notifications)
      const answer = {
        ...{ status: 'ok', version, engine: engine.name },
        ...(tagging === undefined ? {} : { tagging }),
        ...(subscriptions === undefined ? {} : { subscriptions }),
      }
      return sendJson(request, reply, answer, { tag: 'none' })
    },
  )
}

/** Returns the health of a part of the server as text; throws a 503 if it is not healthy. */
async function requireHealth(part: { health(): Promise<EngineHealth> } | undefined): Promise<string | undefined> {
  const health = await part?.health()
  if (health?.ok === false) throw problem('ENGINE_UNAVAILABLE', { reason: health.detail })
  return health?.detail
}

/** Returns the health of the engine. If the call throws, the engine counts as unhealthy and `fault` is the error. */
export async function healthOf(engine: Engine): Promise<EngineHealth & { readonly fault?: unknown }> {
  try {
    return await engine.health()
  } catch (error) {
    return { ok: false, detail: String(error), fault: error }
  }
}
