import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MissingTool } from '../../scripts/tools/missing-tool.ts'
import { ensurePromtool } from '../../scripts/tools/promtool.ts'
import { loadSample } from '../conformance/fixtures.ts'
import { isChecking } from '../support/checking.ts'
import { startEmbeddedServer } from '../support/embedded-server.ts'
import type { RunningServer } from '../support/running-server.ts'

const run = promisify(execFile)
const deploy = join(import.meta.dirname, '..', '..', 'deploy')

const promtool = await ensurePromtool((line) => console.error(line)).catch((error: unknown) => {
  if (!(error instanceof MissingTool) || isChecking()) throw error
  console.error(`\n*** TESTS OF FILES FOR MONITORING ARE SKIPPED: ${error.message} ***\n`)
  return undefined
})

interface Dashboard {
  readonly panels: readonly {
    readonly title: string
    readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
    readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[]
  }[]
}

let server: RunningServer
/** Names and labels of metrics, by the name of a sample. */
let metrics: ReadonlyMap<string, ReadonlySet<string>>
let exposition: string
let dashboard: Dashboard
let rules: string

beforeAll(async () => {
  server = await startEmbeddedServer()
  await loadSample(server.base)
  await fetch(`${server.base}/explore/geodata/_count`)
  // kernels do not sort by integers beyond 2^53, so SQL answers
  const put = (path: string, body: string) =>
    fetch(server.base + path, { method: 'PUT', body, headers: { 'content-type': 'application/json' } })
  await put(
    '/index/large/_doc/a',
    '{"id":"a","at":"2024-05-01T10:00:00Z","place":{"lat":1,"lon":2},"n":9007199254740993}',
  )
  const paths = { id_path: 'id', timestamp_path: 'at', geometry_path: 'place', centroid_path: 'place' }
  await put('/collections/large', JSON.stringify({ index_name: 'large', ...paths }))
  expect((await fetch(`${server.base}/explore/large/_search?sort=n`)).status).toBe(200)
  exposition = await (await fetch(`${server.base}/metrics`)).text()
  metrics = readMetrics(exposition)
  dashboard = JSON.parse(await readFile(join(deploy, 'grafana', 'periplus.json'), 'utf8'))
  rules = await readFile(join(deploy, 'prometheus', 'periplus.rules.yaml'), 'utf8')
})
afterAll(() => server?.stop())

function readMetrics(text: string): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  for (const [, name = ''] of text.matchAll(/^# TYPE (\w+)/gm)) found.set(name, new Set())
  for (const [, name = '', labels = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const known = found.get(name) ?? new Set()
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) known.add(label)
    found.set(name, known)
  }
  return found
}

/** Names of metrics in an expression, without functions and labels. */
const namesIn = (text: string): readonly string[] => text.match(/\b(?:periplus|process|nodejs)_\w+/g) ?? []

test('the dashboard asks for metrics of the server only, with labels they have', () => {
  const targets = dashboard.panels.flatMap((panel) => panel.targets ?? [])
  expect(targets.length).toBeGreaterThan(30)
  for (const { expr } of targets) {
    for (const name of namesIn(expr)) expect([...metrics.keys()], expr).toContain(name)
    const [name = ''] = namesIn(expr)
    // without samples, the labels of a metric are not known
    const labels = metrics.get(name)
    for (const [, list = ''] of labels?.size ? expr.matchAll(/\bby \(([^)]*)\)/g) : []) {
      for (const label of list.split(/, */)) if (label !== 'job') expect([...(labels ?? [])], expr).toContain(label)
    }
  }
})

test('panels do not overlap', () => {
  const taken = new Set<string>()
  for (const { title, gridPos } of dashboard.panels) {
    for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
        expect(taken, title).not.toContain(`${x}/${y}`)
        expect(x).toBeLessThan(24)
        taken.add(`${x}/${y}`)
      }
    }
  }
})

test('every metric of the server is in the dashboard or an alert', () => {
  const shown = new Set(
    namesIn(rules + JSON.stringify(dashboard)).map((name) => name.replace(/_(count|sum|bucket)$/, '')),
  )
  const own = [...exposition.matchAll(/^# TYPE (periplus_\w+)/gm)].map(([, name]) => name ?? '')
  // what others tell better: they have no panel of their own
  const without = ['periplus_cache_bytes', 'periplus_cache_entries', 'periplus_cache_hit_ratio']
  without.push('periplus_egress_denied_total', 'periplus_match_seconds', 'periplus_tag_batch_seconds')
  without.push('periplus_subscriptions_indexed', 'periplus_subscriptions_stopped')
  expect(own.filter((name) => !shown.has(name)).sort()).toEqual(without.sort())
})

describe.skipIf(promtool === undefined)('promtool', () => {
  const check = async (...args: readonly string[]): Promise<string> => {
    const { stdout } = await run(promtool ?? '', args, { cwd: join(deploy, 'prometheus') })
    return stdout
  }

  test('reads the metrics of the server', async () => {
    const checking = run(promtool ?? '', ['check', 'metrics'])
    checking.child.stdin?.end(exposition.replace(/^(# (?:HELP|TYPE) )?nodejs_.*\n/gm, ''))
    await checking
  })

  test('shows when each alert fires', async () => {
    expect(await check('check', 'rules', 'periplus.rules.yaml')).toMatch(/SUCCESS: \d+ rules found/)
    expect(await check('test', 'rules', 'periplus.test.yaml')).toContain('SUCCESS')
    const tested = await readFile(join(deploy, 'prometheus', 'periplus.test.yaml'), 'utf8')
    for (const [, name] of rules.matchAll(/- alert: (\w+)/g)) expect(tested).toContain(`alertname: ${name}`)
    for (const name of namesIn(rules)) expect([...metrics.keys()]).toContain(name)
  })

  test('understands the expressions of the dashboard', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'periplus-dashboard-'))
    const expressions = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
    const lines = expressions.map((expr, i) => {
      const filled = expr.replaceAll('$__rate_interval', '5m').replace(/\$\w+/g, '.*')
      return `      - record: dashboard:expression_${i}\n        expr: ${JSON.stringify(filled)}\n`
    })
    try {
      const file = join(folder, 'rules.yaml')
      await writeFile(file, `groups:\n  - name: dashboard\n    rules:\n${lines.join('')}`)
      expect(await check('check', 'rules', file)).toContain(`SUCCESS: ${expressions.length} rules found`)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
