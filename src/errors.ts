/**
 * Table of all coded errors of the API; source of the OpenAPI document and the reference page. `sentence` builds the
 * message of an answer from its details (spec 1.5: one sentence that names the parameter or key, the offending value
 * and the rule).
 */

export interface ProblemDetails {
  /**
   * Invalid query parameter, path parameter or body key, with its path (`filter.f[0][1].op`); truncated like `value`.
   */
  readonly parameter?: string
  /** The offending value as sent by the client, truncated to 200 characters. */
  readonly value?: unknown
  /** The violated rule, as a clause: `must be an integer from 1 to 10000`. */
  readonly reason?: string
  /** Name that was not found or not allowed: a collection, index, field, id or path. */
  readonly name?: string
  /** Container of `name`: the index or collection of a field. */
  readonly owner?: string
  /** Setting that defines the limit. */
  readonly setting?: string
}

interface ErrorKind {
  readonly status: number
  readonly meaning: string
  readonly sentence: (d: ProblemDetails) => string
}

const LONGEST_VALUE = 200
const LONGEST_REASON = 1_000

/** Characters that JSON escapes by six; in a message they say nothing to anyone. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is replaced
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g

const cut = (text: string, longest: number): string =>
  (text.length > longest ? `${text.slice(0, longest)}...` : text).replace(CONTROL, '\ufffd')

/** Cuts a reason by its length in JSON, where quotes and backslashes count double. */
function cutReason(text: string): string {
  let length = 0
  for (let at = 0; at < text.length; at++) {
    length += text[at] === '"' || text[at] === '\\' ? 2 : 1
    if (length > LONGEST_REASON) return cut(text, at)
  }
  return cut(text, LONGEST_REASON)
}

const show = (value: unknown): string =>
  cut(typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value)), LONGEST_VALUE)

/** Truncates all texts for a message, because any of them may contain client input. */
function cutDetails(details: ProblemDetails): ProblemDetails {
  const texts = Object.entries(details).map(([name, value]) => [
    name,
    typeof value !== 'string' ? value : name === 'reason' ? cutReason(value) : cut(value, LONGEST_VALUE),
  ])
  return Object.fromEntries(texts)
}

const got = (d: ProblemDetails): string => (d.value === undefined ? '' : `, got '${show(d.value)}'`)

/** `size must be ..., got 'foo'` */
const rule = (d: ProblemDetails): string => `${d.parameter ?? 'request'} ${d.reason ?? 'is invalid'}${got(d)}`

const within = (d: ProblemDetails): string => (d.owner === undefined ? '' : ` in ${d.owner}`)

const kinds = {
  INVALID_PARAMETER: {
    status: 400,
    meaning: 'A query or path parameter, or the matching body member, has an invalid format, range or combination.',
    sentence: rule,
  },
  INVALID_FILTER: {
    status: 400,
    meaning: 'f, q, dateformat, partitionFilter or the filter of a collection is invalid.',
    sentence: rule,
  },
  INVALID_GEOMETRY: { status: 400, meaning: 'A bbox or WKT value is invalid.', sentence: rule },
  INVALID_AGGREGATION: { status: 400, meaning: 'An aggregation is invalid.', sentence: rule },
  MALFORMED_JSON: { status: 400, meaning: 'The body is not JSON.', sentence: rule },
  INVALID_BODY: {
    status: 400,
    meaning: 'The body is missing, or one of its keys is missing, unknown or of the wrong JSON type.',
    sentence: rule,
  },
  INVALID_FILE: {
    status: 400,
    meaning: 'The uploaded file cannot be loaded; the message says why, and what to state.',
    sentence: (d) => d.reason ?? 'The file cannot be loaded',
  },
  INVALID_COLLECTION: { status: 400, meaning: 'The content of a collection reference is invalid.', sentence: rule },
  INVALID_INDEX: { status: 400, meaning: 'An index name, a mapping or a mapping change is invalid.', sentence: rule },
  LIMIT_EXCEEDED: {
    status: 400,
    meaning: 'The request exceeds a limit; the message names the setting.',
    sentence: (d) => `${rule(d)}${d.setting === undefined ? '' : ` (setting ${d.setting})`}`,
  },
  INVALID_TAG: {
    status: 400,
    meaning: 'The tag has no path or no value, or the value does not match the type of the field.',
    sentence: rule,
  },
  FIELD_NOT_TAGGABLE: {
    status: 400,
    meaning: 'The path is not among the taggable_fields of the collection, or cannot be tagged.',
    sentence: (d) => `The path ${show(d.name)} ${d.reason ?? 'cannot be tagged'}${within(d)}`,
  },
  INVALID_PROPAGATION: {
    status: 400,
    meaning: 'The field of a propagation is missing or cannot be used.',
    sentence: rule,
  },
  OFFSET_NOT_RETAINED: { status: 400, meaning: 'The log no longer contains this offset.', sentence: rule },
  INVALID_SUBSCRIPTION: { status: 400, meaning: 'A value of a subscription is invalid.', sentence: rule },
  INVALID_TRIGGER: {
    status: 400,
    meaning: 'The trigger of a subscription does not match the trigger schema.',
    sentence: rule,
  },
  INVALID_HITS: { status: 400, meaning: 'hits.filter or hits.projection is invalid.', sentence: rule },
  CALLBACK_NOT_ALLOWED: { status: 400, meaning: 'The callback is not a URL that may be called.', sentence: rule },
  INVALID_EVENT: { status: 400, meaning: 'An event is invalid; the message gives its position.', sentence: rule },
  UNAUTHORIZED: {
    status: 401,
    meaning: 'Credentials are missing or invalid.',
    sentence: (d) => d.reason ?? 'Credentials are required',
  },
  FORBIDDEN: {
    status: 403,
    meaning: 'The caller is not allowed to do this.',
    sentence: (d) => d.reason ?? 'The caller is not allowed to do this',
  },
  COLLECTION_NOT_AVAILABLE: {
    status: 403,
    meaning: 'The collection is not visible to the caller.',
    sentence: (d) => `Collection ${show(d.name)} is not available`,
  },
  COLUMN_NOT_AVAILABLE: {
    status: 403,
    meaning: 'The field is not visible to the caller.',
    sentence: (d) => `Column ${show(d.name)} is not available`,
  },
  ROUTE_NOT_FOUND: { status: 404, meaning: 'No such path.', sentence: (d) => `Path ${show(d.name)} does not exist` },
  COLLECTION_NOT_FOUND: {
    status: 404,
    meaning: 'No such collection.',
    sentence: (d) => `Collection ${show(d.name)} does not exist`,
  },
  INDEX_NOT_FOUND: { status: 404, meaning: 'No such index.', sentence: (d) => `Index ${show(d.name)} does not exist` },
  FIELD_NOT_FOUND: {
    status: 404,
    meaning: 'No such field.',
    sentence: (d) => `Field ${show(d.name)} does not exist${within(d)}`,
  },
  DOCUMENT_NOT_FOUND: {
    status: 404,
    meaning: 'No such document.',
    sentence: (d) => `Document ${show(d.name)} does not exist${within(d)}`,
  },
  TAG_REQUEST_NOT_FOUND: {
    status: 404,
    meaning: 'No such tag request.',
    sentence: (d) => `Tag request ${show(d.name)} does not exist${within(d)}`,
  },
  SUBSCRIPTION_NOT_FOUND: {
    status: 404,
    meaning: 'No such subscription.',
    sentence: (d) => `Subscription ${show(d.name)} does not exist`,
  },
  DELIVERY_NOT_FOUND: {
    status: 404,
    meaning: 'No such delivery, or it has expired.',
    sentence: (d) => `Delivery ${show(d.name)} does not exist${within(d)}`,
  },
  EVENT_NOT_FOUND: {
    status: 404,
    meaning: 'No such event, or it has expired.',
    sentence: (d) => `Event ${show(d.name)} does not exist${within(d)}`,
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    meaning: 'The path does not support the method; see the Allow header.',
    sentence: (d) => `Method ${show(d.value)} is not allowed on ${show(d.name)}`,
  },
  NOT_ACCEPTABLE: { status: 406, meaning: 'The operation has no format that the client accepts.', sentence: rule },
  CONFLICT: {
    status: 409,
    meaning: 'The resource already exists.',
    sentence: (d) => `${show(d.name)} ${d.reason ?? 'already exists'}`,
  },
  INDEX_READ_ONLY: {
    status: 409,
    meaning: 'The index shows files that were opened without loading them. Its documents cannot be changed.',
    sentence: (d) =>
      `Index ${show(d.name)} shows opened files and is read-only; load the files to change their documents`,
  },
  OPENED_FILE_CHANGED: {
    status: 409,
    meaning: 'A file that the index shows was changed, moved or removed after it was opened.',
    sentence: (d) =>
      `A file of index ${show(d.name)} was changed, moved or removed after it was opened; open it again with --replace`,
  },
  EVENT_ID_CONFLICT: {
    status: 409,
    meaning: 'An event with this id and different content already exists.',
    sentence: (d) => `Event ${show(d.name)} ${d.reason ?? 'already exists with different content'}`,
  },
  DELIVERY_IN_PROGRESS: {
    status: 409,
    meaning: 'An attempt of the delivery is in progress.',
    sentence: (d) => `An attempt of delivery ${show(d.name)} is in progress; try again later`,
  },
  SUBSCRIPTION_INACTIVE: {
    status: 409,
    meaning: 'The subscription is inactive or deleted.',
    sentence: (d) => `Subscription ${show(d.name)} is not active`,
  },
  REQUEST_TIMEOUT: {
    status: 408,
    meaning: 'The request did not arrive completely in time.',
    sentence: (d) => `The request must be received within ${show(d.value)} ms (setting limits.arrivalMs)`,
  },
  BODY_TOO_LARGE: {
    status: 413,
    meaning: 'The body is larger than the limit.',
    sentence: (d) =>
      `The body ${d.reason ?? 'is too large'}${d.setting === undefined ? '' : ` (setting ${d.setting})`}`,
  },
  URI_TOO_LONG: {
    status: 414,
    meaning: 'The URL is longer than the limit.',
    sentence: (d) => `The URL ${d.reason ?? 'is too long'} (setting limits.urlBytes)`,
  },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, meaning: 'The operation does not support the Content-Type.', sentence: rule },
  MISDIRECTED_REQUEST: {
    status: 421,
    meaning: 'The Host header does not name this server.',
    sentence: (d) =>
      `Host '${show(d.value)}' is not a name of this server (settings server.publicUrl, server.allowedHosts)`,
  },
  TOO_MANY_REQUESTS: {
    status: 429,
    meaning: 'The caller sends too many requests; the Retry-After header gives the time to wait.',
    sentence: (d) => `${d.reason ?? 'Too many requests'}${d.setting === undefined ? '' : ` (setting ${d.setting})`}`,
  },
  INTERNAL_ERROR: {
    status: 500,
    meaning: 'Internal error; the log contains it under the request id.',
    sentence: (d) => d.reason ?? 'Internal error; see the server log',
  },
  LOG_UNAVAILABLE: {
    status: 500,
    meaning: 'The tag log is unavailable and the request was not accepted; try again later.',
    sentence: (d) => d.reason ?? 'The tag log is unavailable and the request was not accepted; try again later',
  },
  UPSTREAM_FAILED: {
    status: 500,
    meaning: 'A tile source failed.',
    sentence: (d) => d.reason ?? 'The upstream source failed',
  },
  NOT_IMPLEMENTED: {
    status: 501,
    meaning: 'The engine does not support the function.',
    sentence: (d) => `Not supported${d.owner === undefined ? '' : ` by ${d.owner}`}: ${show(d.name)}`,
  },
  ENGINE_UNAVAILABLE: {
    status: 503,
    meaning: 'The engine is unreachable or rejects requests.',
    sentence: (d) => d.reason ?? 'The engine is unavailable; try again later',
  },
  STORE_UNAVAILABLE: {
    status: 503,
    meaning: 'The store of subscriptions, events and deliveries is unavailable.',
    sentence: (d) => d.reason ?? 'The store of subscriptions is unavailable; try again later',
  },
  ENGINE_TIMEOUT: {
    status: 504,
    meaning: 'The request took longer than limits.timeMs, or a call of the cluster longer than cluster.timeoutMs.',
    sentence: (d) => d.reason ?? 'The request took too long; narrow it or raise the limit (setting limits.timeMs)',
  },
} as const satisfies Record<string, ErrorKind>

export type ErrorCode = keyof typeof kinds

export const errorKinds: Readonly<Record<ErrorCode, ErrorKind>> = kinds

/** A coded error to be sent to the client. */
export class Problem extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly details: ProblemDetails
  /** Extra response headers (Allow, Retry-After, WWW-Authenticate). */
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ErrorCode, details: ProblemDetails, headers: Readonly<Record<string, string>> = {}) {
    const short = cutDetails(details)
    super(errorKinds[code].sentence(short))
    this.name = 'Problem'
    this.code = code
    this.status = errorKinds[code].status
    this.details = short
    this.headers = headers
  }

  toBody(): { status: number; message: string; error: ErrorCode } {
    return { status: this.status, message: this.message, error: this.code }
  }
}

export function problem(code: ErrorCode, details: ProblemDetails, headers?: Readonly<Record<string, string>>): Problem {
  return new Problem(code, details, headers)
}
