import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LocalServices, openLocalServices } from '../../src/cli/serve/local-services.ts'
import { loadSettings } from '../../src/config/load-settings.ts'
import { stopServer } from '../../src/http/health/stop-server.ts'
import { buildServer } from '../../src/http/server/server.ts'
import { call } from '../support/http-client.ts'

let directory: string
let services: LocalServices
let app: Awaited<ReturnType<typeof buildServer>>
let base: string
const lines: string[] = []

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'periplus-outage-log-'))
  const flags = { 'engine.kind': 'cluster', 'cluster.urls': 'http://127.0.0.1:1', 'data.directory': directory }
  services = await openLocalServices(loadSettings({ flags, cwd: directory }), {
    onBackgroundFault: (err) => app.log.error({ err }, 'a background task failed'),
    log: {
      warn: (details, message) => app.log.warn(details, message),
      error: (details, message) => app.log.error(details, message),
    },
  })
  app = await buildServer(services, { log: { write: (line: string) => lines.push(line) } })
  base = await app.listen({ host: '127.0.0.1', port: 0 })
  services.tagging?.start()
  services.notifications?.start()
})
afterAll(async () => {
  await stopServer(app, services)
  await rm(directory, { recursive: true, force: true })
})

test('an outage of the cluster is logged once and without stack traces, whatever is asked', async () => {
  const paths = ['/readyz', '/collections', '/explore/harbours/_count', '/index/_cat/indices', '/metrics']
  for (const path of [...paths, ...paths]) await call(base, { path })
  const tagged = await call(base, {
    path: '/write/harbours/_tag',
    method: 'POST',
    body: { search: {}, tag: { path: 'kind', value: 'x' } },
  })
  expect(tagged.json()).toMatchObject({ status: 503, error: 'ENGINE_UNAVAILABLE' })
  const warnings = lines.map((line) => JSON.parse(line)).filter(({ level, audit }) => level >= 40 && audit !== true)
  expect(warnings.filter(({ msg }) => msg === 'the cluster is unavailable')).toHaveLength(1)
  expect(warnings.filter(({ msg }) => msg === 'the engine is not healthy')).toHaveLength(1)
  expect(new Set(warnings.map(({ msg }) => msg)).size, JSON.stringify(warnings)).toBe(warnings.length)
  expect(lines.join('')).not.toContain('"stack"')
})
