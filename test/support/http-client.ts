import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { PATIENT } from './patience.ts'

const agent = new Agent({ keepAlive: true })

export interface Call {
  readonly method?: string
  /** Path and query exactly as sent. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** Strings and bytes are sent unchanged, other values as JSON. */
  readonly body?: unknown
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly bytes: Buffer
  readonly json: () => unknown
}

/** Sends one request to a server, without normalising path, query or body. Of a stream of events it reads the first. */
export async function call(base: string, request: Call): Promise<Answer> {
  try {
    return await callOnce(base, request)
  } catch (error) {
    // The server may close a keep-alive socket before it has read the request.
    if (error instanceof StaleSocket) return callOnce(base, request)
    throw error
  }
}

class StaleSocket extends Error {}

function encodeBody(body: unknown): { bytes?: string | Uint8Array; type?: string } {
  if (body === undefined) return {}
  if (typeof body === 'string' || body instanceof Uint8Array) return { bytes: body }
  return { bytes: JSON.stringify(body), type: 'application/json' }
}

function callOnce(base: string, { method = 'GET', path, headers = {}, body }: Call): Promise<Answer> {
  const { hostname, port } = new URL(base)
  const { bytes, type } = encodeBody(body)
  const sent: Record<string, string | number> = type === undefined ? {} : { 'content-type': type }
  for (const [name, value] of Object.entries(headers)) sent[name.toLowerCase()] = value
  if (bytes !== undefined) sent['content-length'] = Buffer.byteLength(bytes)
  return new Promise((resolve, reject) => {
    const req = httpRequest({ hostname, port, method, path, headers: sent, agent }, (res) => {
      const chunks: Buffer[] = []
      const finish = (): void => {
        const bytes = Buffer.concat(chunks)
        const text = bytes.toString('utf8')
        resolve({ status: res.statusCode ?? 0, headers: res.headers, text, bytes, json: () => JSON.parse(text) })
      }
      const isEndless = res.headers['content-type']?.startsWith('text/event-stream') === true
      res.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        if (!isEndless || !hasEvent(chunks)) return
        finish()
        res.destroy()
      })
      res.on('error', reject)
      res.on('end', finish)
    })
    req.setTimeout(PATIENT.timeout, () => req.destroy(new Error(`${method} ${path} timed out`)))
    req.on('error', (error: NodeJS.ErrnoException) => {
      const stale = req.reusedSocket && error.code === 'ECONNRESET'
      reject(stale ? new StaleSocket(error.message) : error)
    })
    req.end(bytes)
  })
}

/** True if a stream of events has sent a whole one. */
const hasEvent = (chunks: readonly Buffer[]): boolean =>
  /^event:.*\n[\s\S]*\n\n/m.test(Buffer.concat(chunks).toString())

/** Returns `a=b&c=d`, encoded, in the given order. */
export function queryText(parameters: readonly (readonly [string, string | number | boolean])[]): string {
  return parameters.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')
}

/** Returns a path with its query, if there is one. */
export function withQuery(
  path: string,
  parameters: readonly (readonly [string, string | number | boolean])[] = [],
): string {
  return parameters.length === 0 ? path : `${path}?${queryText(parameters)}`
}

/** Sends a request that must succeed and returns its JSON. */
export async function must(base: string, request: Call): Promise<unknown> {
  const answer = await call(base, request)
  if (answer.status < 200 || answer.status > 299) {
    throw new Error(`${request.method ?? 'GET'} ${request.path} returned ${answer.status} ${answer.text.slice(0, 300)}`)
  }
  return answer.text === '' ? undefined : answer.json()
}
