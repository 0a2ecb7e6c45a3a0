import type { Settings } from '../../config/settings.ts'
import { type ErrorCode, errorKinds } from '../../errors.ts'
import { isAuthenticating } from '../auth/auth.ts'
import type { DescribedRoute } from './described-route.ts'
import { isOpen } from './security.ts'

/** Error codes of the operations whose path and method match. */
interface Rule {
  readonly path: RegExp
  readonly method?: RegExp
  readonly codes: readonly ErrorCode[]
}

const ENGINE = ['ENGINE_UNAVAILABLE', 'ENGINE_TIMEOUT'] as const
const FILTERS = ['INVALID_FILTER', 'INVALID_GEOMETRY', 'LIMIT_EXCEEDED', 'FIELD_NOT_FOUND'] as const
const NEGOTIATED = /^\/(?:collections|explore|ogc|stac|write|status|(?:admin\/)?subscriptions|events)/

/** Error codes by kind of operation; all matching rules apply. */
const RULES: readonly Rule[] = [
  { path: /./, codes: ['INVALID_PARAMETER', 'URI_TOO_LONG', 'MISDIRECTED_REQUEST', 'INTERNAL_ERROR'] },
  // Changes sent by browsers for pages of other origins. For collections also changes by callers with a narrowed view.
  { path: /^\/(?!explore|stac)/, method: /POST|PUT|PATCH|DELETE/, codes: ['FORBIDDEN'] },
  { path: /\{/, codes: ['ROUTE_NOT_FOUND'] },
  { path: NEGOTIATED, codes: ['NOT_ACCEPTABLE'] },
  // Headers that narrow the view are parsed first.
  { path: /^\/(?:collections|status|write)/, codes: ['INVALID_FILTER'] },
  {
    path: /^\/(?:collections|explore|ogc\/collections|stac|write|status|index|readyz|(?:admin\/)?subscriptions|events)/,
    codes: ENGINE,
  },

  { path: /\/\{collections?\}/, codes: ['COLLECTION_NOT_FOUND', 'COLLECTION_NOT_AVAILABLE'] },
  { path: /^\/(?:explore|write)\/.*\{collections?\}/, codes: ['INDEX_NOT_FOUND'] },
  // Operations that read documents.
  {
    path: /^\/(?:explore|write)\/\{collections?\}\/(?!_describe|_tagreplay)/,
    codes: [...FILTERS, 'COLUMN_NOT_AVAILABLE', 'NOT_IMPLEMENTED'],
  },
  {
    path: /^\/ogc\/collections\/\{collection\}\/(?:items|tiles\/.*\{)/,
    codes: [...FILTERS, 'COLUMN_NOT_AVAILABLE', 'NOT_IMPLEMENTED'],
  },
  {
    path: /^\/(?:explore|write|ogc\/collections)\/\{collections?\}\/(?!_describe|_tagreplay)|^\/index\/\{index\}\/_/,
    codes: ['OPENED_FILE_CHANGED'],
  },
  {
    path: /^\/stac\/.*(?:search|items|aggregate)$/,
    codes: [
      ...FILTERS,
      'COLUMN_NOT_AVAILABLE',
      'NOT_IMPLEMENTED',
      'MALFORMED_JSON',
      'INVALID_BODY',
      'OPENED_FILE_CHANGED',
    ],
  },
  { path: /^\/ogc\/tileMatrixSets\/|\{tileMatrix/, codes: ['ROUTE_NOT_FOUND'] },
  // With profile=true, for callers with a narrowed view.
  { path: /^\/explore\/\{collections?\}\/(?!_describe)/, codes: ['FORBIDDEN'] },
  { path: /_(?:geo|shape)?aggregate|_mvt/, codes: ['INVALID_AGGREGATION'] },
  { path: /_live$/, codes: ['TOO_MANY_REQUESTS'] },
  { path: /\/\{identifier\}$/, codes: ['DOCUMENT_NOT_FOUND'] },
  { path: /\/_tile\//, codes: ['UPSTREAM_FAILED'] },

  {
    path: /^\/collections\/(?:_import|\{collection\}$)/,
    method: /PUT|POST/,
    codes: ['INVALID_COLLECTION', 'COLLECTION_NOT_AVAILABLE', 'INDEX_NOT_FOUND', ...FILTERS],
  },
  { path: /^\/collections\/\{collection\}\//, method: /PATCH/, codes: ['INVALID_COLLECTION', 'LIMIT_EXCEEDED'] },

  { path: /^\/(?:index|metrics)/, codes: ['FORBIDDEN'] },
  { path: /\{index\}/, codes: ['INDEX_NOT_FOUND'] },
  { path: /^\/index\/\{index\}(?:\/_mapping)?$/, method: /PUT|POST/, codes: ['INVALID_INDEX', 'LIMIT_EXCEEDED'] },
  {
    path: /^\/index\/\{index\}\/_(?:doc|update)/,
    method: /PUT|POST/,
    codes: ['INVALID_INDEX', 'LIMIT_EXCEEDED', 'CONFLICT'],
  },
  { path: /^\/index\/.*_replace/, codes: ['CONFLICT', 'INVALID_INDEX'] },
  {
    path: /^\/index\/\{index\}\/_(?:doc|bulk|mapping|create|update)|_(?:un)?tag$/,
    method: /PUT|POST|DELETE/,
    codes: ['INDEX_READ_ONLY'],
  },
  { path: /^\/index\/.*_bulk/, codes: ['INVALID_INDEX', 'LIMIT_EXCEEDED'] },
  {
    path: /^\/load/,
    codes: [
      'INVALID_FILE',
      'INVALID_INDEX',
      'INVALID_COLLECTION',
      'COLLECTION_NOT_AVAILABLE',
      'FORBIDDEN',
      'NOT_ACCEPTABLE',
      'CONFLICT',
      'INDEX_NOT_FOUND',
      'FIELD_NOT_FOUND',
      'LIMIT_EXCEEDED',
      'TOO_MANY_REQUESTS',
      ...ENGINE,
    ],
  },
  { path: /^\/index\/.*_mget/, codes: ['LIMIT_EXCEEDED'] },
  {
    path: /^\/index\/.*_(?:search|count)/,
    codes: ['INVALID_BODY', 'MALFORMED_JSON', 'FIELD_NOT_FOUND', 'LIMIT_EXCEEDED', 'INVALID_GEOMETRY'],
  },
  { path: /^\/index\/.*_doc\/\{id\}/, method: /GET|DELETE/, codes: ['DOCUMENT_NOT_FOUND'] },
  { path: /^\/index\/.*_update\/\{id\}/, codes: ['DOCUMENT_NOT_FOUND'] },
  { path: /^\/index\/_mget/, codes: ['OPENED_FILE_CHANGED'] },

  {
    path: /^\/write\/.*_(?:un)?tag$/,
    codes: ['INVALID_TAG', 'FIELD_NOT_TAGGABLE', 'INVALID_PROPAGATION', 'TOO_MANY_REQUESTS', 'LOG_UNAVAILABLE'],
  },
  { path: /_tagreplay$/, codes: ['OFFSET_NOT_RETAINED', 'LOG_UNAVAILABLE'] },
  { path: /^\/status\//, codes: ['LOG_UNAVAILABLE'] },
  { path: /^\/status\/.*_tag\/\{id\}/, codes: ['TAG_REQUEST_NOT_FOUND'] },

  { path: /subscriptions|^\/events/, codes: ['STORE_UNAVAILABLE', 'FORBIDDEN'] },
  { path: /subscriptions\/\{id\}/, codes: ['SUBSCRIPTION_NOT_FOUND'] },
  {
    path: /subscriptions(?:\/\{id\})?$/,
    method: /POST|PUT/,
    codes: [
      'INVALID_SUBSCRIPTION',
      'INVALID_TRIGGER',
      'INVALID_GEOMETRY',
      'INVALID_HITS',
      'INVALID_FILTER',
      'CALLBACK_NOT_ALLOWED',
      'LIMIT_EXCEEDED',
      'COLLECTION_NOT_FOUND',
      'COLUMN_NOT_AVAILABLE',
    ],
  },
  { path: /\{deliveryId\}/, codes: ['DELIVERY_NOT_FOUND'] },
  { path: /_redeliver$|\/_test$/, codes: ['SUBSCRIPTION_INACTIVE', 'TOO_MANY_REQUESTS'] },
  { path: /\{deliveryId\}\/_redeliver$/, codes: ['DELIVERY_IN_PROGRESS'] },
  {
    path: /^\/events$/,
    codes: ['INVALID_EVENT', 'LIMIT_EXCEEDED', 'COLLECTION_NOT_FOUND', 'EVENT_ID_CONFLICT', 'TOO_MANY_REQUESTS'],
  },
  { path: /^\/events\//, codes: ['EVENT_NOT_FOUND'] },
]

const BODY = ['INVALID_BODY', 'MALFORMED_JSON'] as const
const READING = ['REQUEST_TIMEOUT', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const
/** Operations that ignore their body. */
const BODILESS = /_tagreplay$|_redeliver$|\/_test$/

/** Returns all error codes of an operation, by status. */
export function operationErrors(route: DescribedRoute, settings: Settings): ReadonlyMap<number, readonly ErrorCode[]> {
  const { path, method, body } = route
  const matching = RULES.filter((rule) => rule.path.test(path) && (rule.method?.test(method) ?? true))
  const readsBody = /POST|PUT|PATCH/.test(method) && !BODILESS.test(path)
  const codes = new Set<ErrorCode>([
    ...matching.flatMap((rule) => rule.codes),
    ...(body === undefined ? [] : BODY),
    ...(readsBody ? READING : []),
    ...(isOpen(path) ? [] : callerErrors(path, settings)),
  ])
  const statuses = new Map<number, ErrorCode[]>()
  for (const code of Object.keys(errorKinds) as ErrorCode[]) {
    if (!codes.has(code)) continue
    const { status } = errorKinds[code]
    statuses.set(status, [...(statuses.get(status) ?? []), code])
  }
  // A limit like the others, but HTTP has a dedicated status for it.
  return statuses.set(431, ['LIMIT_EXCEEDED'])
}

/** Error codes that depend on the caller. */
function callerErrors(path: string, settings: Settings): readonly ErrorCode[] {
  const { limits, subscriptions } = settings
  const isCounted = limits.requestsPerMinute !== undefined || limits.concurrentRequests !== undefined
  const isNamed = subscriptions.identity.header !== '' && /subscriptions|^\/events/.test(path)
  return [
    ...(isAuthenticating(settings) ? (['UNAUTHORIZED', 'FORBIDDEN'] as const) : []),
    ...(isNamed ? (['UNAUTHORIZED'] as const) : []),
    ...(isCounted ? (['TOO_MANY_REQUESTS'] as const) : []),
  ]
}
