import type { DescribedRoute, Schema } from './described-route.ts'

const text = (description: string, more: Schema = {}): Schema => ({
  description,
  ...more,
  schema: { type: 'string' },
})

/** Response headers, as components. */
export const headers: Readonly<Record<string, Schema>> = {
  RequestId: text('Id of the request, as the log shows it; that of the request where it brought one.', {
    required: true,
  }),
  ETag: text('Tag of this content; sent back in If-None-Match it gets a 304.'),
  CacheControl: text('What max-age-cache asked for.'),
  ContentDisposition: text('Name of the file.', { required: true }),
  Location: text('URL of the subscription.', { required: true }),
  SecretLink: text('Where the secret that signs notifications is, as `rel="webhook-secret"`.', { required: true }),
  RetryAfter: { description: 'Seconds to wait before the next try.', schema: { type: 'integer', minimum: 0 } },
  WwwAuthenticate: text('How callers show who they are.'),
  ElasticProduct: {
    description: 'What Elasticsearch clients look for.',
    required: true,
    schema: { type: 'string', const: 'Elasticsearch' },
  },
}

const reference = (name: string): Schema => ({ $ref: `#/components/headers/${name}` })

const REQUEST_ID = { 'X-Request-Id': reference('RequestId') }

/** Routes whose GET answers have an ETag. */
const TAGGED =
  /^\/(?:$|explorer\/|explore\/|collections|index$|openapi|events\/|(?:admin\/)?subscriptions(?:\/\{id\})?$)/

export const isTagged = ({ method, path }: DescribedRoute): boolean => method === 'GET' && TAGGED.test(path)

/** Headers of a successful answer. */
export function answerHeaders(route: DescribedRoute, status: number): Schema {
  const { path, response } = route
  const isFile = path === '/collections/_export' || response[200]?.content?.[ZIP] !== undefined
  return {
    ...REQUEST_ID,
    ...(isTagged(route) && status !== 204 ? { ETag: reference('ETag') } : {}),
    ...(path.startsWith('/explore/') ? { 'Cache-Control': reference('CacheControl') } : {}),
    ...(isFile && status === 200 ? { 'Content-Disposition': disposition(path) } : {}),
    ...(status === 201 && /subscriptions(?:\/\{id\})?$/.test(path) ? { Location: reference('Location') } : {}),
    ...(status === 201 && path.endsWith('/subscriptions') ? { Link: reference('SecretLink') } : {}),
    ...(path.startsWith('/index') ? { 'X-Elastic-Product': reference('ElasticProduct') } : {}),
  }
}

const ZIP = 'application/zip'

/** A search answer has a file name only if it is a file. */
const disposition = (path: string): Schema =>
  /_(?:geo)?search$/.test(path) ? text('Name of the file, of answers that are one.') : reference('ContentDisposition')

/** Headers of an error answer. */
export const errorHeaders = (status: number): Schema => ({
  ...REQUEST_ID,
  ...(status === 401 ? { 'WWW-Authenticate': reference('WwwAuthenticate') } : {}),
  ...(status === 429 || status >= 500 ? { 'Retry-After': reference('RetryAfter') } : {}),
})
