import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import type { AuthSettings } from '../config/settings.ts'
import { errorKinds } from '../errors.ts'
import { markDeprecatedParameters } from './openapi-deprecated.ts'
import { routePrefixes } from './route-prefixes.ts'
import { sendJson } from './send-json.ts'
import type { Services } from './services.ts'

/** Collects the schemas of the routes; register it before them. */
export async function describeRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const { publicUrl, aliases } = services.settings.server
  const prefixes = routePrefixes(services.settings)
  const schemes = securitySchemes(services.settings.auth.modes)
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Periplus',
        version: services.version,
        description: `Explore documents that have a place and a time: filter, search, aggregate, export and tag them, and be told when one that matches changes.\n\n${errorTable()}`,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: publicUrl ?? '/' }, ...(publicUrl === undefined ? aliases.map((url) => ({ url })) : [])],
      tags: [
        { name: 'Explore', description: 'Search and describe the documents of collections.' },
        { name: 'Collections', description: 'What a collection is: an index and the fields that matter in it.' },
        { name: 'Index', description: 'Load documents.' },
        { name: 'Tagging', description: 'Change many documents at once.' },
        { name: 'Subscriptions', description: 'Be told when something matching happens.' },
        { name: 'Server', description: 'Is the server well.' },
      ],
      components: { schemas: { Error: errorSchema }, securitySchemes: schemes },
      security: Object.keys(schemes).map((name) => ({ [name]: [] })),
    },
    hideUntagged: true,
    refResolver: {
      buildLocalReference: (json, _baseUri, _fragment, i) => (typeof json.$id === 'string' ? json.$id : `Schema${i}`),
    },
    transform: ({ schema, url }) => {
      const isAlias = prefixes.some((alias) => url.startsWith(`${alias}/`))
      return { schema: { ...withErrors(schema ?? {}), ...(isAlias ? { hide: true } : {}) }, url }
    },
    transformObject: (made) =>
      'openapiObject' in made ? markDeprecatedParameters(made.openapiObject) : made.swaggerObject,
  })
}

/** The document at `GET /openapi.json`. */
export function openapiRoutes(app: FastifyInstance): void {
  const schema = { tags: ['server'], summary: 'This description as an OpenAPI document' }
  app.get('/openapi.json', { schema }, async (request, reply) => sendJson(request, reply, app.swagger()))
}

type Schemes = Record<string, { type: 'apiKey'; in: 'header'; name: string } | { type: 'http'; scheme: 'bearer' }>

/** How callers can show who they are. */
function securitySchemes(modes: AuthSettings['modes']): Schemes {
  const schemes: Schemes = {}
  if (modes.includes('apikey')) schemes.apiKey = { type: 'apiKey', in: 'header', name: 'X-API-Key' }
  if (modes.includes('apikey') || modes.includes('jwt')) schemes.bearer = { type: 'http', scheme: 'bearer' }
  return schemes
}

const errorSchema = {
  type: 'object' as const,
  description: 'The body of every answer that is not a success.',
  required: ['status', 'message', 'error'],
  properties: {
    status: { type: 'integer' as const, description: 'The HTTP status.' },
    message: { type: 'string' as const, description: 'What is wrong: the parameter, the value and the rule.' },
    error: { type: 'string' as const, enum: Object.keys(errorKinds), description: 'Stable code of the error.' },
  },
}

function withErrors(schema: { readonly response?: unknown; readonly tags?: readonly string[] }): object {
  const response = typeof schema.response === 'object' && schema.response !== null ? schema.response : {}
  const fault = {
    description: 'The request failed.',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  }
  const tags = schema.tags?.map((tag) => `${tag.charAt(0).toUpperCase()}${tag.slice(1)}`)
  return { ...schema, ...(tags === undefined ? {} : { tags }), response: { ...response, default: fault } }
}

/** The coded errors as a Markdown table. */
export function errorTable(): string {
  const rows = Object.entries(errorKinds).map(([code, kind]) => `| ${code} | ${kind.status} | ${kind.meaning} |`)
  return ['## Errors', '', '| error | status | when |', '|---|---|---|', ...rows].join('\n')
}
