import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { PATIENT } from '../../../test/support/patience.ts'
import { download } from '../../access/egress/egress-download.ts'
import { createEgressGuard } from '../../access/egress/egress-guard.ts'
import { loadSettings } from '../../config/load-settings.ts'
import { STEP } from './growing-input.ts'
import { type FetchPart, GrowingUrl } from './growing-url.ts'
import type { UrlPlace } from './input-place.ts'

/** A file on a server, and how the server behaves. */
interface Served {
  content: Buffer
  version: number
  hasRanges: boolean
  hasTags: boolean
  hasSize: boolean
  /** Answers instead of the file, once each. */
  faults: ((response: ServerResponse) => void)[]
}

const served: Served = {
  content: Buffer.alloc(0),
  version: 0,
  hasRanges: true,
  hasTags: true,
  hasSize: true,
  faults: [],
}
/** `status sent-bytes` of each answer. */
const answers: string[] = []

function put(text: string): void {
  served.content = Buffer.from(text)
  served.version += 1
}
const append = (text: string): void => put(served.content.toString() + text)

function answer(request: IncomingMessage, response: ServerResponse): void {
  const fault = served.faults.shift()
  if (fault !== undefined) {
    fault(response)
    return
  }
  const { content, hasRanges, hasSize, hasTags, version } = served
  const send = (status: number, body: Buffer, headers: Record<string, string> = {}): void => {
    answers.push(`${status} ${body.length}`)
    response.writeHead(status, { ...(hasTags ? { etag: `"${version}"` } : {}), ...headers }).end(body)
  }
  if (hasTags && request.headers['if-none-match'] === `"${version}"`) {
    send(304, Buffer.alloc(0))
    return
  }
  const [, first = '', last = ''] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
  if (!hasRanges || first === '') send(200, content)
  else if (Number(first) >= content.length) {
    send(416, Buffer.alloc(0), { 'content-range': `bytes */${content.length}` })
  } else {
    const body = content.subarray(Number(first), Number(last) + 1)
    const size = hasSize ? content.length : '*'
    send(206, body, { 'content-range': `bytes ${first}-${Number(first) + body.length - 1}/${size}` })
  }
}

const server = createServer(answer)
let url: string
let fetchPart: FetchPart
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  url = `http://127.0.0.1:${port}/events.ndjson`
  const { egress } = loadSettings({ flags: { 'egress.allow': `http://127.0.0.1:${port}` } })
  const guard = createEgressGuard({ settings: egress })
  fetchPart = (from, headers, signal, use) => download(guard, { connectTimeoutMs: 5_000, headers, signal }, from, use)
})
afterAll(() => void server.close())
beforeEach(() => {
  Object.assign(served, { version: 0, hasRanges: true, hasTags: true, hasSize: true, faults: [] })
  answers.length = 0
})

/** Reads rows until it is stopped. */
function follow(from?: UrlPlace) {
  const said: string[] = []
  const rows: string[] = []
  const stop = new AbortController()
  const input = new GrowingUrl(url, { from, intervalMs: 10, fetchPart, say: (text) => said.push(text) })
  const read = async (): Promise<void> => {
    for (let next = await input.next(stop.signal); next !== undefined; next = await input.next(stop.signal)) {
      const text = next.bytes.toString()
      const end = next.isEnd ? text.length : text.lastIndexOf('\n') + 1
      if (end > 0) rows.push(...text.slice(0, end).trimEnd().split('\n'))
      await input.advance(Buffer.byteLength(text.slice(0, end)))
    }
  }
  const reading = read()
  return {
    said,
    rows,
    failed: reading,
    has: (...expected: string[]) => vi.waitFor(() => expect(rows).toEqual(expected), PATIENT),
    end: async (): Promise<UrlPlace> => {
      stop.abort()
      await reading
      return input.place
    },
  }
}

describe('a URL that grows', () => {
  it('is read as far as rows are complete, and goes on after a restart without what was read', async () => {
    put('')
    let reader = follow()
    append('a\nb\nc')
    await reader.has('a', 'b')
    append('d\n')
    await reader.has('a', 'b', 'cd')
    await vi.waitFor(() => expect(answers).toContain('304 0'), PATIENT)
    const place = await reader.end()
    expect(place.offset).toBe(7)
    append(`${'e'.repeat(1_000)}\n`)
    answers.length = 0
    reader = follow(place)
    await reader.has('e'.repeat(1_000))
    expect(answers[0]).toBe(`206 ${7 + 1_001}`)
    expect(reader.said).toEqual([])
    await reader.end()
  })

  it.each([
    { hasRanges: true, hasTags: false, hasSize: true },
    { hasRanges: true, hasTags: true, hasSize: false },
    { hasRanges: false, hasTags: true, hasSize: true },
    { hasRanges: false, hasTags: false, hasSize: true },
  ])('is read from the beginning when it is replaced or truncated: %o', async (behaviour) => {
    Object.assign(served, behaviour)
    put('a\nb\nlast')
    let reader = follow()
    await reader.has('a', 'b')
    put('c\nd\nand more than before\n')
    await reader.has('a', 'b', 'last', 'c', 'd', 'and more than before')
    put('e\n')
    await reader.has('a', 'b', 'last', 'c', 'd', 'and more than before', 'e')
    const place = await reader.end()
    const replaced = `${url} was replaced or truncated: reading it from the beginning.`
    const whole = `The server of ${url} does not support byte ranges: the whole file is downloaded at each change.`
    expect(reader.said).toEqual([...(behaviour.hasRanges ? [] : [whole]), replaced, replaced])
    put('f\n')
    reader = follow(place)
    await reader.has('f')
    await reader.end()
  })

  it.each([{ hasSize: true }, { hasSize: false }])('is read in steps, also with long rows: %o', async (behaviour) => {
    Object.assign(served, behaviour)
    const rows = ['x'.repeat(3 * STEP), ...Array.from({ length: 300 }, (_, i) => `${i}-`.repeat(2_000))]
    put(`${rows.join('\n')}\n`)
    const reader = follow()
    await vi.waitFor(() => expect(reader.rows.length).toBe(rows.length), PATIENT)
    expect(reader.rows).toEqual(rows)
    await reader.end()
    expect(Math.max(...answers.map((text) => Number(text.split(' ')[1])))).toBeLessThanOrEqual(STEP + 256)
  })

  it('is asked again while the server fails', async () => {
    put('a\n')
    const reader = follow()
    await reader.has('a')
    append('b\n')
    served.faults.push(
      (response) => void response.writeHead(503, { 'retry-after': '0' }).end(),
      (response) => void response.destroy(),
      (response) => void response.writeHead(206, { 'content-range': 'bytes 1-1/2' }).end('x'),
    )
    await reader.has('a', 'b')
    await reader.end()
    expect(reader.said).toEqual([
      `${url} cannot be read: the server responded with 503. Trying again until it responds.`,
      `${url} can be read again.`,
    ])
  })

  it.each<[string, (response: ServerResponse) => void]>([
    ['cannot be read: the server responded with 404', (response) => void response.writeHead(404).end()],
    ['is sent compressed (gzip)', (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end()],
    [
      'does not support byte ranges, and the file has more than 67108864 bytes',
      (response) => void response.writeHead(200, { 'content-length': String(65 * 1024 * 1024) }).flushHeaders(),
    ],
  ])('is refused: %s', async (text, fault) => {
    served.faults.push(fault)
    await expect(follow().failed).rejects.toThrow(text)
  })
})
