import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadEdge } from '../conformance/fixtures.ts'
import { describeEach, engines } from '../support/engines.ts'
import { type Answer, type Call, call } from '../support/http-client.ts'
import type { RunningServer } from '../support/running-server.ts'
import { aggregationPost, aggregationRequest } from './garbage-aggregations.ts'
import { explorePath, query, rawBody, text, writes } from './garbage-requests.ts'
import { tryWithin } from './random-index.ts'

/** Nothing of the inside may show: no stack, no engine, no file of ours. */
const inside =
  /\bat [\w.<>]+ \(|node:internal|node_modules|\.ts:\d|duckdb|sqlite|Catalog Error|Binder Error|Parser Error/i

function checkAnswer(request: Call, answer: Answer): void {
  const where = `${request.method ?? 'GET'} ${request.path} ${String(request.body ?? '')} answered ${answer.status} ${answer.text}`
  expect(answer.status, where).toBeLessThan(500)
  if (answer.status < 400) return
  expect(answer.headers['content-type'] ?? '', where).toMatch(/^application\/json/)
  const body = answer.json()
  expect(body, where).toEqual({
    status: answer.status,
    message: expect.any(String),
    error: expect.stringMatching(/^[A-Z][A-Z_]*$/),
  })
  const { message } = body as { readonly message: string }
  // The message may quote the request; what is left must not tell of the inside.
  if (
    !inside.test(decodeURIComponent(request.path.replace(/%(?![0-7][0-9a-f])/gi, ''))) &&
    !inside.test(String(request.body ?? ''))
  ) {
    expect(message, where).not.toMatch(inside)
  }
  expect(message.length, where).toBeLessThan(1500)
}

describeEach(engines)('garbage on the $name engine', (engine) => {
  let server: RunningServer
  beforeAll(async () => {
    server = await engine.start()
    await loadEdge(server.base, 'edge')
    await call(server.base, {
      method: 'PUT',
      path: '/index/scratch',
      body: { mappings: { properties: { id: { type: 'keyword' } } } },
    })
  })
  afterAll(() => server?.stop())

  const harmless = async (request: Call): Promise<void> => checkAnswer(request, await call(server.base, request))
  const json = { 'content-type': 'application/json' }

  test('in any parameter of any GET is answered with a coded error, or not an error', async () => {
    const request = fc.tuple(explorePath, query).map(([path, q]) => ({ path: q === '' ? path : `${path}?${q}` }))
    await tryWithin(request, harmless, 1200, 25_000 * engine.share)
  })

  test('in any body of any POST', async () => {
    const operation = fc.constantFrom('_search', '_geosearch', '_count')
    const request = fc.tuple(operation, rawBody, query).map(([o, body, q]) => ({
      method: 'POST',
      path: `/explore/edge/${o}?${q}`,
      headers: json,
      body,
    }))
    await tryWithin(request, harmless, 600, 15_000 * engine.share)
  })

  test('in aggregations, figures, suggestions and the cells they are asked for', async () => {
    await tryWithin(aggregationRequest, harmless, 800, 12_000 * engine.share)
  })

  test('in the bodies of aggregations and figures', async () => {
    await tryWithin(aggregationPost, harmless, 400, 8_000 * engine.share)
  })

  test('in references, indices and bulk loads', async () => {
    const type = fc.constantFrom(
      'application/json',
      'application/x-ndjson',
      'text/plain',
      'multipart/form-data; boundary=x',
      'nonsense',
    )
    const request = fc.tuple(writes, type).map(([w, t]): Call => ({ ...w, headers: { 'content-type': t } }))
    await tryWithin(request, harmless, 400, 15_000 * engine.share)
  })

  test('in headers', async () => {
    const headerName = fc.constantFrom(
      'accept',
      'content-type',
      'if-none-match',
      'origin',
      'x-forwarded-host',
      'x-forwarded-proto',
    )
    const value = text.map((t) =>
      t
        .replace(/[^\x20-\x7e]/g, '?')
        .slice(0, 500)
        .trim(),
    )
    const request = fc.tuple(explorePath, headerName, value).map(([path, h, v]) => ({ path, headers: { [h]: v } }))
    await tryWithin(request, harmless, 300, 10_000 * engine.share)
  })

  test('and the server still answers as before', async () => {
    const answer = await call(server.base, { path: '/explore/edge/_count' })
    expect(answer.status, answer.text).toBe(200)
  })
})
