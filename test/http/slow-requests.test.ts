import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openLocalServices } from '../../src/cli/serve/local-services.ts'
import { loadSettings } from '../../src/config/load-settings.ts'
import { stopServer } from '../../src/http/health/stop-server.ts'
import { buildServer } from '../../src/http/server/server.ts'
import { loadSample } from '../conformance/fixtures.ts'

const SLOW_MS = 60

let base: string
let directory: string
let stop = async (): Promise<void> => undefined
const lines: { readonly [name: string]: unknown }[] = []

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'periplus-slow-'))
  const flags = { 'data.directory': directory, 'server.port': '0', 'log.level': 'warn', 'log.slowMs': String(SLOW_MS) }
  const services = await openLocalServices(loadSettings({ flags, cwd: directory }))
  const { engine } = services
  const slowCounts: typeof engine = Object.assign(Object.create(engine), {
    count: async (...args: Parameters<typeof engine.count>) => {
      await pause(SLOW_MS + 20)
      return engine.count(...args)
    },
  })
  const log = { write: (line: string): void => void lines.push(JSON.parse(line)) }
  const app = await buildServer({ ...services, engine: slowCounts }, { log })
  base = await app.listen({ host: '127.0.0.1', port: 0 })
  stop = async () => {
    await stopServer(app, services)
    await rm(directory, { recursive: true })
  }
  await loadSample(base)
})
afterAll(() => stop())
beforeEach(() => void lines.splice(0))

const slowLines = () => lines.filter(({ slow }) => slow === true)

test('a slow request is logged with its plan and how the engine answered', async () => {
  const answer = await fetch(`${base}/explore/geodata/_count?f=params.job:eq:Actor&access_token=secret`)
  expect(answer.status).toBe(200)
  await expect.poll(slowLines).toHaveLength(1)
  const [line] = slowLines()
  expect(line).toMatchObject({
    msg: 'slow request',
    level: 40,
    route: '/explore/:collection/_count',
    status: 200,
    collections: ['geodata'],
    reads: [{ read: 'count', ms: expect.any(Number), path: 'kernel', rows: 595, plan: expect.any(String) }],
  })
  expect(line?.ms).toBeGreaterThanOrEqual(SLOW_MS)
  const [{ plan = '' } = {}] = (line?.reads ?? []) as readonly { readonly plan?: string }[]
  expect(plan).toContain('"params.job"')
  expect(plan).toContain('"Actor"')
  expect(JSON.stringify(line)).not.toContain('secret')
})

test('long plans are cut', async () => {
  const names = Array.from({ length: 500 }, (_, i) => `somebody${i}`).join(',')
  const body = JSON.stringify({ filter: { f: [[{ field: 'params.job', op: 'eq', value: names }]] } })
  const options = { method: 'POST', body, headers: { 'content-type': 'application/json' } }
  expect((await fetch(`${base}/explore/geodata/_count`, options)).status).toBe(200)
  await expect.poll(slowLines).toHaveLength(1)
  expect(JSON.stringify(slowLines()[0]).length).toBeLessThan(4_000)
})

test('metrics tell how long requests of a collection take', async () => {
  await fetch(`${base}/explore/geodata/_count?f=nothing`)
  await fetch(`${base}/explore/nothing/_count`)
  const metrics = await (await fetch(`${base}/metrics`)).text()
  expect(metrics).toMatch(
    /^periplus_collection_request_duration_seconds_count\{collection="geodata",status="2xx"\} [1-9]/m,
  )
  expect(metrics).toMatch(
    /^periplus_collection_request_duration_seconds_count\{collection="geodata",status="4xx"\} 1$/m,
  )
  expect(metrics).not.toContain('collection="nothing"')
})
