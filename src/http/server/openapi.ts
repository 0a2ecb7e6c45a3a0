import type { FastifyInstance, RouteOptions } from 'fastify'
import { Type } from 'typebox'
import type { Settings } from '../../config/settings.ts'
import { errorKinds } from '../../errors.ts'
import { sendJson } from '../answer/send-json.ts'
import { isAuthenticating } from '../auth/auth.ts'
import { accessParameters, narrowingParameters } from '../openapi/access-parameters.ts'
import { Components } from '../openapi/components.ts'
import type { DescribedRoute, Schema } from '../openapi/described-route.ts'
import { ErrorResponses, errorSchema } from '../openapi/error-responses.ts'
import { describeOperation } from '../openapi/operation.ts'
import { operationErrors } from '../openapi/operation-errors.ts'
import { headers, isTagged } from '../openapi/response-headers.ts'
import { operationSecurity, securityRequirements, securitySchemes } from '../openapi/security.ts'
import { JSON_TYPE } from '../route-config.ts'
import { routePrefixes } from '../route-prefixes.ts'
import type { Services } from '../services.ts'

const tags = [
  { name: 'Explore', description: 'Search and describe the documents of collections.' },
  { name: 'Collections', description: 'What a collection is: an index and the fields that matter in it.' },
  { name: 'Index', description: 'Load documents.' },
  { name: 'Tagging', description: 'Change many documents at once.' },
  { name: 'Subscriptions', description: 'Be told when something matching happens.' },
  { name: 'Events', description: 'Tell of what happened elsewhere.' },
  { name: 'Server', description: 'Is the server well; pages for people.' },
]

/**
 * Collects the descriptions of the routes; call it before they are registered. Returns a function that builds the
 * document.
 */
export function describeRoutes(app: FastifyInstance, services: Services): () => Schema {
  const prefixes = routePrefixes(services.settings)
  const routes: (() => DescribedRoute)[] = []
  app.addHook('onRoute', (route) => {
    const isAlias = prefixes.some((alias) => route.url.startsWith(`${alias}/`))
    const [method] = [route.method].flat()
    if (isAlias || route.schema === undefined || route.schema.hide === true || method === 'HEAD') return
    routes.push(describedRoute(route, String(method)))
  })
  let document: Schema | undefined
  return () => {
    document ??= openapiDocument(
      routes.map((describe) => describe()),
      services,
    )
    return document
  }
}

/** Route `GET /openapi.json`. */
export function openapiRoutes(app: FastifyInstance, document: () => Schema): void {
  const schema = {
    tags: ['Server'],
    operationId: 'getOpenApi',
    summary: 'This description as an OpenAPI document',
    querystring: Type.Object({
      pretty: Type.Optional(Type.Boolean({ default: false, description: 'Indents the answer.' })),
    }),
    response: {
      200: {
        type: 'object',
        description: 'The document.',
        required: ['openapi', 'info', 'paths'],
        properties: { openapi: { const: '3.1.0' }, info: { type: 'object' }, paths: { type: 'object' } },
      },
    },
  }
  app.get('/openapi.json', { schema }, async (request, reply) => sendJson(request, reply, document()))
}

/**
 * Throws at start-up if the description of a route is incomplete. The copy without the symbols of the schemas is made
 * when the document is requested, because it takes longer than registering the route.
 */
function describedRoute({ url, schema = {} }: RouteOptions, method: string): () => DescribedRoute {
  const path = url.replaceAll(/:(\w+)/g, '{$1}')
  const { operationId, summary, tags: groups, response } = schema
  if (operationId === undefined || summary === undefined || groups === undefined || response === undefined) {
    throw new Error(`${method} ${path} needs an operationId, a summary, tags and a response`)
  }
  // Fastify replaces members of these two
  const kept = { ...schema, response: { ...response } }
  return () => {
    const { consumes, bodyRequired, ...rest } = JSON.parse(JSON.stringify(kept))
    return { ...rest, method, path, consumes: consumes ?? [JSON_TYPE], bodyRequired: bodyRequired ?? true }
  }
}

function openapiDocument(routes: readonly DescribedRoute[], { settings, version }: Services): Schema {
  const components = new Components()
  const errors = new ErrorResponses()
  const paths: Record<string, Record<string, Schema>> = {}
  for (const route of routes) {
    const security = operationSecurity(route, settings)
    const notModified = isTagged(route) ? { 304: { type: 'null', description: 'The client has this content.' } } : {}
    const operation = describeOperation(
      { ...route, response: { ...route.response, ...notModified } },
      {
        ...{ components, errors, codes: operationErrors(route, settings) },
        shared: narrowingParameters(route, settings),
        ...(security === undefined ? {} : { security }),
      },
    )
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation }
  }
  const security = securityRequirements(settings)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Periplus',
      version,
      description: [INTRODUCTION, METHODS, ...aliasTexts(settings), errorTable()].join('\n\n'),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: settings.server.publicUrl ?? '/' }],
    tags,
    ...(security.length === 0 ? {} : { security }),
    paths,
    components: {
      schemas: { Error: errorSchema, ...components.schemas() },
      responses: errors.responses(),
      ...(isAuthenticating(settings) ? {} : { parameters: accessParameters }),
      headers,
      ...(security.length === 0 ? {} : { securitySchemes: securitySchemes(settings) }),
    },
  }
}

const INTRODUCTION =
  'Explore documents that have a place and a time: filter, search, aggregate, export and tag them, and be told when ' +
  'one that matches changes.'

const METHODS =
  'HEAD works wherever GET does. Another method is a 405, `METHOD_NOT_ALLOWED`, with the header `Allow`. Names of query ' +
  'parameters count in any case; unknown ones are ignored.'

/** Lists the aliases of groups of paths. */
function aliasTexts({ server, tagging, subscriptions }: Settings): readonly string[] {
  const groups = [
    ['Collections and Explore', server.aliases],
    ['Tagging', tagging.aliases],
    ['Subscriptions and Events', subscriptions.aliases],
  ] as const
  return groups
    .filter(([, aliases]) => aliases.length > 0)
    .map(([name, aliases]) => `${name} answer below ${aliases.map((alias) => `\`${alias}\``).join(', ')} too.`)
}

/** The error codes as a Markdown table. */
function errorTable(): string {
  const rows = Object.entries(errorKinds).map(([code, kind]) => `| ${code} | ${kind.status} | ${kind.meaning} |`)
  return ['## Errors', '', '| error | status | when |', '|---|---|---|', ...rows].join('\n')
}
