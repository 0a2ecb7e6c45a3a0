import { hash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errorKinds } from '../../src/errors.ts'
import { collectionRoutes } from '../../src/http/routes/collection-routes.ts'
import { keepBusy } from '../../src/turn.fixture.ts'
import { type Running, startServer } from './server-fixture.ts'

let server: Running
beforeAll(async () => {
  server = await startServer({ routes: collectionRoutes })
})
afterAll(() => server.stop())

const get = (path: string): Promise<Response> => fetch(`${server.base}${path}`)

interface OpenApi {
  readonly openapi: string
  readonly info: { readonly version: string; readonly description: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> }
}

describe('health', () => {
  test('is alive and ready', async () => {
    expect(await (await get('/livez')).json()).toEqual({ status: 'ok', version: '1.2.3' })
    expect(await (await get('/readyz')).json()).toEqual({ status: 'ok', version: '1.2.3', engine: 'embedded' })
  })

  test('is not ready when the engine is not, and does not say why', async () => {
    const broken = await startServer()
    await broken.services.engine.close()
    const response = await fetch(`${broken.base}/readyz`)
    expect(response.headers.get('retry-after')).not.toBeNull()
    expect(await response.json()).toEqual({
      status: 503,
      message: 'The engine is unavailable; try again later',
      error: 'ENGINE_UNAVAILABLE',
    })
    expect(await (await fetch(`${broken.base}/metrics`)).text()).toContain('periplus_engine_up 0')
    await broken.stop()
  })
})

test('metrics count requests by route, method and status', async () => {
  await get('/collections/unknown')
  await get('/no/such/route')
  await get(`/collections?q=${'x'.repeat(70_000)}`)
  await expect
    .poll(async () => (await get('/metrics')).text())
    .toContain(
      'periplus_http_request_duration_seconds_count{route="/collections/:collection",method="GET",status="404"} 1',
    )
  const text = await (await get('/metrics')).text()
  expect(text).toContain('route="none",method="GET",status="404"')
  expect(text).toContain('periplus_http_requests_in_flight 1')
  expect(text).toContain('periplus_engine_up 1')
  expect(text).toContain('process_cpu_seconds_total')
})

test('metrics tell how long the event loop was kept, since the scrape before', async () => {
  const scrape = async (): Promise<string> => (await get('/metrics')).text()
  const longest = (text: string): number =>
    Number(/^periplus_event_loop_delay_max_seconds (.*)$/m.exec(text)?.[1] ?? Number.NaN)
  const busyScrape = (): Promise<string> => {
    keepBusy(1_000)
    return scrape()
  }
  // The first look after a scrape only begins to measure.
  await expect.poll(async () => longest(await busyScrape()), { interval: 50 }).toBeGreaterThan(0.9)
  const text = await scrape()
  for (const p of ['50', '90', '99']) expect(text).toContain(`periplus_event_loop_delay_seconds{percentile="${p}"} `)
  await expect.poll(async () => longest(await scrape())).toBeLessThan(0.9)
})

describe('the OpenAPI document', () => {
  test('describes the routes once, with the error codes', async () => {
    const response = await get('/openapi.json')
    expect(response.headers.get('content-type')).toBe('application/json;charset=utf-8')
    const api = (await response.json()) as OpenApi
    expect([api.openapi, api.info.version]).toEqual(['3.1.0', '1.2.3'])
    expect(Object.keys(api.paths)).toEqual(
      expect.arrayContaining(['/collections', '/collections/{collection}', '/livez']),
    )
    expect(Object.keys(api.paths).filter((path) => path.startsWith('/arlas'))).toEqual([])
    expect(Object.keys(api.paths['/collections'] ?? {})).toEqual(['get'])
    for (const code of Object.keys(errorKinds)) expect(api.info.description).toContain(`| ${code} |`)
    expect(api.components.schemas.Error).toBeDefined()
  })

  test('has no reference that leads nowhere and no nested id', async () => {
    const api = (await (await get('/openapi.json')).json()) as OpenApi
    const text = JSON.stringify(api)
    for (const [, name] of text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)) {
      expect(Object.keys(api.components.schemas)).toContain(name)
    }
    expect(text).not.toContain('"$id"')
  })
})

describe('pages', () => {
  test('the plain page without collections shows how to load some', async () => {
    const response = await get('/status-page')
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const page = await response.text()
    expect(page).toContain('periplus load')
    expect(page).toContain('version 1.2.3')
    expect(page).not.toContain(server.services.settings.data.directory)
  })

  test('the plain page lists collections, whatever they are called', async () => {
    const params = { index_name: 'gone', id_path: 'id', geometry_path: 'g', centroid_path: 'c', timestamp_path: 't' }
    const put = await fetch(`${server.base}/collections/${encodeURIComponent("a&b'c")}?checkfields=false`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...params, display_names: { collection: '<script>alert(1)</script>' } }),
    })
    expect(await put.json()).toMatchObject({ collection_name: "a&b'c" })
    const page = await (await get('/status-page')).text()
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(page).not.toContain('<script>alert')
    expect(page).toContain('explore/a%26b&#39;c/_search')
    expect(page).toContain('its index does not exist')
  })

  test('the API page has nothing inline, and loads only what this server has', async () => {
    const response = await get('/docs')
    expect(response.headers.get('content-security-policy')).toMatch(/script-src 'self'; style-src 'self'/)
    const page = await response.text()
    expect(page).not.toMatch(/<script>|<style>|(?:src|href)="(?:https?:)?\/\/| (?:on\w+|style)="/)
    const assets = [...page.matchAll(/(?:src|href)="\.(\/explorer\/[^"]+)"/g)].map(([, path = '']) => path)
    expect(assets.length).toBeGreaterThan(2)
    for (const path of assets) expect((await get(path)).status).toBe(200)
  })

  test('the status page allows nothing inline but what it brings', async () => {
    const response = await get('/status-page')
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'self'")
    const page = await response.text()
    const inline = [...page.matchAll(/<(script|style)>([\s\S]*?)<\/\1>/g)]
    expect(inline.length).toBeGreaterThan(0)
    for (const [, , text = ''] of inline) expect(policy).toContain(`'sha256-${hash('sha256', text, 'base64')}'`)
    expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//)
    expect(page).not.toMatch(/ (?:on\w+|style)="/)
  })
})
