import type { NamedOperation } from './operations.ts'

/** What the form of an operation holds: values by parameter, and the body. */
export interface Filled {
  readonly values: Readonly<Record<string, string>>
  readonly body: string
  readonly type: string | undefined
}

/** A request of an operation, relative to the server. */
export interface Call {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** The body is the content of a file of a form. */
  readonly isFile: boolean
}

export function callOf({ method, path, parameters, requestBody }: NamedOperation, filled: Filled): Call {
  const { values, body, type } = filled
  const given = parameters.flatMap((parameter) =>
    linesOf(values[parameter.name]).map((value) => ({ name: parameter.name, place: parameter.in, value })),
  )
  const query = given.filter(({ place }) => place === 'query').map(({ name, value }) => `${name}=${encoded(value)}`)
  const route = path.replace(/\{(\w+)\}/g, (whole, name: string) => encoded(values[name] ?? whole)).slice(1)
  const isFile = type === 'multipart/form-data'
  const headers = given.filter(({ place }) => place === 'header').map(({ name, value }) => [name, value] as const)
  const sent = requestBody !== undefined && body !== ''
  return {
    method: method.toUpperCase(),
    path: query.length === 0 ? route : `${route}?${query.join('&')}`,
    headers: {
      ...Object.fromEntries(headers),
      ...(sent && !isFile && type !== undefined ? { 'content-type': type } : {}),
    },
    ...(sent ? { body } : {}),
    isFile,
  }
}

export const linesOf = (text = ''): readonly string[] => text.split('\n').filter((line) => line !== '')

/** Encodes what a URL requires, and leaves the characters of the filter language readable. */
const encoded = (value: string): string => encodeURIComponent(value).replace(/%(3A|2C|3B|24)/g, decodeURIComponent)

export function bodyToSend({ body, isFile }: Call): string | FormData | undefined {
  if (!isFile || body === undefined) return body
  const form = new FormData()
  form.append('file', new Blob([body], { type: 'application/json' }), 'file.json')
  return form
}

/** Returns the call as a curl command, with a placeholder for the token. */
export function curlText({ method, path, headers, body, isFile }: Call, base: string, signed: boolean): string {
  const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
  const parts = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quote(`${base}${path}`)}`,
    ...(signed ? [`-H "Authorization: Bearer $TOKEN"`] : []),
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [isFile ? '-F file=@FILE' : `--data-binary ${bodyQuote(body)}`]),
  ]
  return parts.join(' \\\n  ')
}

/** A body of several lines needs the escapes of `$'...'`, because each line counts. */
const bodyQuote = (body: string): string =>
  body.endsWith('\n')
    ? `$'${body.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`
    : `'${body.replaceAll("'", "'\\''")}'`
