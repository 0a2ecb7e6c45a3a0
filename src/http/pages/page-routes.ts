import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { problem } from '../../errors.ts'
import { sendTagged } from '../answer/send-json.ts'
import { callerAccess, requestSignal } from '../request/caller.ts'
import { requestUrl } from '../request/request-url.ts'
import type { Services } from '../services.ts'
import { countCollections } from './collection-counts.ts'
import { assetPolicy, explorerPolicy, type PageFile, readExplorerFiles, withBasemap } from './explorer-files.ts'
import { homePage, homePolicy } from './home-page.ts'
import * as schemas from './page-schemas.ts'

interface NamedFile {
  Params: { readonly file: string }
}

/** Routes of the HTML pages. */
export function pageRoutes(app: FastifyInstance, services: Services): void {
  const { engine, version, settings, command = 'periplus' } = services
  const explorer = readExplorerFiles()

  const statusPage = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const collections = await countCollections(services, callerAccess(request), requestSignal(request), request.log)
    const { base } = requestUrl(request, settings)
    return sendPage(reply, homePage({ version, command, engine: engine.name, base, collections }), homePolicy)
  }

  app.get('/status-page', { schema: schemas.statusPage }, statusPage)

  // the pages were not built; the status page and the OpenAPI document need no build
  if (explorer === undefined) {
    app.get('/', { schema: schemas.redirect }, async (_request, reply) => reply.redirect('status-page'))
    app.get('/docs', { schema: schemas.apiRedirect }, async (_request, reply) => reply.redirect('openapi.json'))
    return
  }

  const { basemapUrl: url, basemapAttribution: attribution } = settings.explorer
  const basemap = url === undefined ? undefined : { url, attribution }
  const page = basemap === undefined ? explorer.page : withBasemap(explorer.page, basemap)
  const policy = explorerPolicy(basemap)
  app.get('/', { schema: schemas.explorer }, async (request, reply) => sendBuilt(request, reply, page, policy))

  const ownPolicy = explorerPolicy(undefined)
  app.get('/docs', { schema: schemas.apiPage }, async (request, reply) =>
    sendBuilt(request, reply, explorer.reference, ownPolicy),
  )

  app.get<NamedFile>('/explorer/:file', { schema: schemas.explorerFile }, async (request, reply) => {
    const { file } = request.params
    const found = explorer.assets.get(file)
    if (found === undefined) throw problem('ROUTE_NOT_FOUND', { name: `/explorer/${file}` })
    reply.headers({
      'content-security-policy': assetPolicy,
      'content-type': found.type,
      'cache-control': 'public, max-age=31536000, immutable',
    })
    return sendTagged(request, reply, found.content, () => found.tag)
  })
}

const pageHeaders = (policy: string): Record<string, string> => ({
  'content-security-policy': policy,
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-cache',
})

function sendBuilt(request: FastifyRequest, reply: FastifyReply, page: PageFile, policy: string): FastifyReply {
  reply.headers({ ...pageHeaders(policy), 'content-type': page.type })
  return sendTagged(request, reply, page.content, () => page.tag)
}

function sendPage(reply: FastifyReply, page: string, policy: string): FastifyReply {
  return reply.headers({ ...pageHeaders(policy), 'content-type': 'text/html; charset=utf-8' }).send(page)
}
