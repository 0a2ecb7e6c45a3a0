import type { ErrorCode } from '../../errors.ts'
import { JSON_TYPE } from '../route-config.ts'
import { type Components, typeOfWords } from './components.ts'
import { type Contents, type DescribedRoute, isSchema, type Schema } from './described-route.ts'
import type { ErrorResponses } from './error-responses.ts'
import { answerHeaders } from './response-headers.ts'

/** Range of integers in query and path, unless the schema says otherwise (spec 1.2.4). */
const INT32 = { minimum: -2147483648, maximum: 2147483647 }

interface OperationParts {
  readonly components: Components
  readonly errors: ErrorResponses
  /** Error codes of the operation, by status. */
  readonly codes: ReadonlyMap<number, readonly ErrorCode[]>
  /** Parameters in addition to those of the route. */
  readonly shared: readonly Schema[]
  /** Absent: the security requirements of the whole document apply. */
  readonly security?: readonly Schema[]
}

/** Returns the operation object of a route. */
export function describeOperation(route: DescribedRoute, parts: OperationParts): Schema {
  const { operationId, tags, summary, description, deprecated } = route
  const parameters = [...pathParameters(route), ...queryParameters(route), ...headerParameters(route), ...parts.shared]
  return {
    operationId,
    tags,
    summary,
    ...(description === undefined ? {} : { description }),
    ...(deprecated === true ? { deprecated } : {}),
    ...(parts.security === undefined ? {} : { security: parts.security }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined ? {} : { requestBody: requestBody(route, route.body, parts.components) }),
    responses: responses(route, parts),
  }
}

function pathParameters({ path, params }: DescribedRoute): readonly Schema[] {
  const described = membersOf(params)
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) =>
    parameter(name, described[name] ?? { type: 'string' }, { in: 'path', required: true }),
  )
}

function queryParameters({ querystring }: DescribedRoute): readonly Schema[] {
  const required: readonly unknown[] = Array.isArray(querystring?.required) ? querystring.required : []
  return Object.entries(membersOf(querystring)).map(([name, schema]) => {
    if (required.includes(name)) return parameter(name, schema, { in: 'query', required: true })
    // An empty value counts as absent (spec 1.2.2). For repeatable parameters it is one of the values.
    return parameter(name, schema, { in: 'query', ...(schema.type === 'array' ? {} : { allowEmptyValue: true }) })
  })
}

const headerParameters = ({ headers }: DescribedRoute): readonly Schema[] =>
  Object.entries(membersOf(headers)).map(([name, schema]) => parameter(name, schema, { in: 'header' }))

const membersOf = (schema: Schema | undefined): Readonly<Record<string, Schema>> =>
  isSchema(schema?.properties) ? (schema.properties as Readonly<Record<string, Schema>>) : {}

function parameter(name: string, schema: Schema, place: Schema): Schema {
  const { description, examples, deprecated, ...plain } = schema
  const isPlainInteger = plain.type === 'integer' && plain.format === undefined
  return {
    name,
    ...place,
    ...(description === undefined ? {} : { description }),
    ...(deprecated === true ? { deprecated } : {}),
    schema: isPlainInteger
      ? { ...plain, format: 'int32', ...INT32, ...bounds(plain) }
      : { ...typeOfWords(plain), ...plain },
    ...(Array.isArray(examples) && examples.length > 0 ? { example: examples[0] } : {}),
  }
}

const bounds = ({ minimum, maximum }: Schema): Schema => ({
  ...(minimum === undefined ? {} : { minimum }),
  ...(maximum === undefined ? {} : { maximum }),
})

function requestBody(route: DescribedRoute, body: Contents, components: Components): Schema {
  const { path, consumes, bodyRequired } = route
  // In the routes of indices, a null in a document stays a null.
  const media = (schema: Schema): Schema =>
    mediaOf(path.startsWith('/index') ? components.answered(schema) : components.sent(schema))
  const content =
    body.content !== undefined
      ? Object.entries(body.content).map(([type, { schema }]) => [type, media(schema)])
      : consumes.map((type) => [type, media(body)])
  return { required: bodyRequired, content: Object.fromEntries(content) }
}

/** Returns a media type object; examples go beside the schema. */
function mediaOf(schema: Schema): Schema {
  const { examples, description: _description, ...plain } = schema
  if (!Array.isArray(examples) || examples.length === 0) return { schema: plain }
  return { schema: plain, example: examples[0] }
}

function responses(route: DescribedRoute, { components, errors, codes }: OperationParts): Schema {
  const wanted = Object.entries(route.response).map(([status, response]): [string, Schema] => {
    const headers = answerHeaders(route, Number(status))
    return [status, { description: descriptionOf(response), headers, ...contentOf(response, components) }]
  })
  const refused = [...codes].map(([status, some]): [string, Schema] => [String(status), errors.reference(status, some)])
  return Object.fromEntries([...wanted, ...refused].toSorted(([a], [b]) => a.localeCompare(b)))
}

const descriptionOf = ({ description }: Schema): unknown => description ?? 'The response.'

/** Returns `content` as written in the route, else its schema as JSON. The schema `null` means no body. */
function contentOf(response: Contents, components: Components): Schema {
  if (response.type === 'null') return {}
  const stated = response.content ?? { [JSON_TYPE]: { schema: response } }
  const content = Object.entries(stated).map(([type, { schema }]) => [type, mediaOf(components.answered(schema))])
  return { content: Object.fromEntries(content) }
}
