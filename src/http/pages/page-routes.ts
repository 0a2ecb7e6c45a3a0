import type { FastifyInstance, FastifyReply } from 'fastify'
import { callerAccess, requestSignal } from '../caller.ts'
import { requestUrl } from '../request-url.ts'
import type { Services } from '../services.ts'
import { apiPage, apiPolicy } from './api-page.ts'
import { countCollections } from './collection-counts.ts'
import { homePage, homePolicy } from './home-page.ts'

/** Pages for people. */
export function pageRoutes(app: FastifyInstance, services: Services): void {
  const { engine, version, settings } = services

  app.get('/', async (request, reply) => {
    const collections = await countCollections(services, callerAccess(request), requestSignal(request), request.log)
    const { base } = requestUrl(request, settings)
    return sendPage(reply, homePage({ version, engine: engine.name, base, collections }), homePolicy)
  })

  app.get('/docs', async (_request, reply) => sendPage(reply, apiPage(version), apiPolicy))
}

function sendPage(reply: FastifyReply, page: string, policy: string): FastifyReply {
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-cache',
    })
    .send(page)
}
