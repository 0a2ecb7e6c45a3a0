import type { DescribedRoute, Schema } from './described-route.ts'

const text = (description: string, more: Schema = {}): Schema => ({
  description,
  ...more,
  schema: { type: 'string' },
})

/** Response headers, as components. */
export const headers: Readonly<Record<string, Schema>> = {
  RequestId: text('Id of the request, as in the log. Taken from the request if it has the header.', {
    required: true,
  }),
  ETag: text('Entity tag of the content. Send it in If-None-Match to get a 304 if the content is unchanged.'),
  CacheControl: text('Set according to max-age-cache.'),
  Notice: text(
    'Quoted strings, separated by commas: names of fields and parameters in the request that do not exist, at most five, ' +
      'with the most similar name. Characters other than printable ASCII, and `%`, are percent-encoded.',
  ),
  ContentDisposition: text('Name of the file.', { required: true }),
  Location: text('URL of the subscription.', { required: true }),
  SecretLink: text('URL of the secret that signs notifications, with `rel="webhook-secret"`.', { required: true }),
  RetryAfter: { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer', minimum: 0 } },
  WwwAuthenticate: text('Supported authentication scheme.'),
  ElasticProduct: {
    description: 'Required by Elasticsearch clients.',
    required: true,
    schema: { type: 'string', const: 'Elasticsearch' },
  },
}

const reference = (name: string): Schema => ({ $ref: `#/components/headers/${name}` })

const REQUEST_ID = { 'X-Request-Id': reference('RequestId') }

/** Routes whose GET answers have an ETag. */
const TAGGED =
  /^\/(?:$|explorer\/|explore\/(?!.*_live$)|ogc(?!.*tileMatrix\})|collections|index$|openapi|events\/|(?:admin\/)?subscriptions(?:\/\{id\})?$)/

export const isTagged = ({ method, path }: DescribedRoute): boolean => method === 'GET' && TAGGED.test(path)

/** Headers of a successful answer. */
export function answerHeaders(route: DescribedRoute, status: number): Schema {
  const { path, response } = route
  const isFile = path === '/collections/_export' || response[200]?.content?.[ZIP] !== undefined
  return {
    ...REQUEST_ID,
    ...(isTagged(route) && status !== 204 ? { ETag: reference('ETag') } : {}),
    ...(path.startsWith('/explore/')
      ? { 'Cache-Control': reference('CacheControl'), 'Periplus-Notice': reference('Notice') }
      : {}),
    ...(isFile && status === 200 ? { 'Content-Disposition': disposition(path) } : {}),
    ...(status === 201 && /subscriptions(?:\/\{id\})?$/.test(path) ? { Location: reference('Location') } : {}),
    ...(status === 201 && path.endsWith('/subscriptions') ? { Link: reference('SecretLink') } : {}),
    ...(path.startsWith('/index') ? { 'X-Elastic-Product': reference('ElasticProduct') } : {}),
  }
}

const ZIP = 'application/zip'

/** A search answer has a file name only if it is a file. */
const disposition = (path: string): Schema =>
  /_(?:geo)?search$/.test(path) ? text('Name of the file, if the response is a file.') : reference('ContentDisposition')

/** Headers of an error answer. */
export const errorHeaders = (status: number): Schema => ({
  ...REQUEST_ID,
  ...(status === 401 ? { 'WWW-Authenticate': reference('WwwAuthenticate') } : {}),
  ...(status === 429 || status >= 500 ? { 'Retry-After': reference('RetryAfter') } : {}),
})
