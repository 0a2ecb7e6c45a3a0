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
  { name: 'Explore', description: 'Search, aggregate and export the documents of collections.' },
  { name: 'OGC API', description: 'Collections as OGC API Features and Tiles, for QGIS, GDAL and other clients.' },
  { name: 'STAC', description: 'Collections as STAC API, for pystac-client, STAC browsers and other clients.' },
  { name: 'Collections', description: 'Manage collections. A collection maps a name to an index and its main fields.' },
  { name: 'Index', description: 'Manage indices and load documents.' },
  { name: 'Tagging', description: 'Add values to, or remove values from, a field of many documents.' },
  { name: 'Subscriptions', description: 'Get notifications about matching events.' },
  { name: 'Events', description: 'Post events of other systems.' },
  { name: 'Server', description: 'Health, metrics and pages of the server.' },
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
    summary: 'Get this OpenAPI document',
    querystring: Type.Object({
      pretty: Type.Optional(Type.Boolean({ default: false, description: 'Indent the response.' })),
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
    throw new Error(`${method} ${path} must have an operationId, a summary, tags and a response`)
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
    const notModified = isTagged(route)
      ? { 304: { type: 'null', description: 'Not modified: the client has the current content.' } }
      : {}
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
  'Explore documents with a location and a time: filter, search, aggregate, export and tag them, and get notified ' +
  'when matching documents change.'

const METHODS =
  'HEAD is supported wherever GET is. Other methods return 405 `METHOD_NOT_ALLOWED` with the header `Allow`. Names of ' +
  'query parameters are case-insensitive; unknown parameters are ignored.'

/** Lists the aliases of groups of paths. */
function aliasTexts({ server, tagging, subscriptions }: Settings): readonly string[] {
  const groups = [
    ['Collections and Explore', server.aliases],
    ['Tagging', tagging.aliases],
    ['Subscriptions and Events', subscriptions.aliases],
  ] as const
  return groups
    .filter(([, aliases]) => aliases.length > 0)
    .map(([name, aliases]) => `${name}: also available under ${aliases.map((alias) => `\`${alias}\``).join(', ')}.`)
}

/** The error codes as a Markdown table. */
function errorTable(): string {
  const rows = Object.entries(errorKinds).map(([code, kind]) => `| ${code} | ${kind.status} | ${kind.meaning} |`)
  return ['## Errors', '', '| error | status | when |', '|---|---|---|', ...rows].join('\n')
}
