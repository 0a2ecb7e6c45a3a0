import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeEach, engines } from '../support/engines.ts'
import { type Description, type Probe, probesOf } from './leak-requests.ts'
import { startTwoWorlds, type TwoWorlds, tenantA } from './two-worlds.ts'

/**
 * What a route does with documents, by its path. A route that is in none of these fails the test: whoever adds one says
 * here what a narrowed caller gets of it.
 */
const classes = {
  /** Shows documents, values or fields: of those the caller may not see, nothing. */
  narrowed: /^\/explore\/|^\/collections(?:$|\/)|^\/status-page$/,
  /** Knows no columns and partitions: closed to whoever is narrowed. */
  closed: /^\/index(?:$|\/)|^\/metrics$/,
  /**
   * Changes documents, or tells of them, later: says the same whatever documents there are. What tags change is in
   * leaks-tagging.test.ts, what notifications tell in the tests of matching.
   */
  deferred: /^\/(?:write|status)\/|^\/(?:admin\/)?subscriptions(?:$|\/)|^\/events(?:$|\/)/,
  /** Says the same whatever documents there are. */
  same: /^\/(?:livez|readyz|openapi\.json)$/,
}

/** Routes whose answer is about the collection, and not of its documents. */
const ABOUT = /^\/collections|_list$|_describe$|opensearch/

interface Outcome {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Headers that are another every time. */
const PASSING = new Set(['date', 'x-request-id', 'content-length', 'connection', 'keep-alive', 'transfer-encoding'])

async function send(base: string, probe: Probe, sent: Readonly<Record<string, string>>): Promise<Outcome> {
  const { method, path, body } = probe
  const isText = typeof body === 'string'
  const response = await fetch(`${base}${path}`, {
    method,
    headers: {
      ...(body === undefined || isText ? {} : { 'content-type': 'application/json' }),
      ...probe.headers,
      ...sent,
    },
    ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  const text = bytes.toString('utf8')
  // The tag of an answer with ids that are drawn is another every time.
  const passing = text === withoutIds(text) ? PASSING : new Set([...PASSING, 'etag'])
  const headers = [...response.headers].filter(([name]) => !passing.has(name))
  return {
    status: response.status,
    headers: Object.fromEntries(headers.map(([name, value]) => [name, withoutIds(value)])),
    body: printable(bytes, response.headers.get('content-type') ?? ''),
  }
}

/** Without how long it took and without ids that are drawn; what is no text, as a digest. */
function printable(bytes: Buffer, type: string): string {
  if (!/json|xml|html|text/.test(type)) return createHash('sha256').update(bytes).digest('hex')
  return withoutIds(bytes.toString('utf8').replaceAll(/"(?:query_time|total_time)":\s*\d+/g, '""'))
}

/** Among them the names of the part of a cluster each has. */
const withoutIds = (text: string): string =>
  text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g, 'uuid')
    .replaceAll(/\bt-[0-9a-f]{8}-/g, '')

describeEach(engines)('on the $name engine, a tenant that may see some documents and columns of an index', (engine) => {
  let worlds: TwoWorlds
  let operations: readonly { readonly method: string; readonly path: string; readonly probes: readonly Probe[] }[]

  beforeAll(async () => {
    worlds = await startTwoWorlds(engine)
    const { paths } = (await worlds.whole.ask('/openapi.json')).json() as Description
    operations = Object.entries({ ...paths, '/status-page': { get: {} } }).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        method,
        path,
        probes: probesOf(method, path, operation),
      })),
    )
  })
  afterAll(() => worlds?.stop())

  const askBoth = (probe: Probe, headers: Readonly<Record<string, string>>) =>
    Promise.all([send(worlds.whole.base, probe, headers), send(worlds.without.base, probe, headers)])

  const within = (kind: RegExp) => operations.filter(({ path }) => kind.test(path))

  test('every route is classified', () => {
    const count = (path: string): number => Object.values(classes).filter((kind) => kind.test(path)).length
    expect(operations.filter(({ path }) => count(path) !== 1).map(({ path }) => path)).toEqual([])
    expect(operations.length).toBeGreaterThan(60)
  })

  test('the two servers do differ, to whoever may see everything', async () => {
    for (const { method, path, probes } of within(classes.narrowed)) {
      const [plain] = probes
      const isChange = /^(?:put|patch|delete)$/.test(method) || path.endsWith('_import')
      if (plain === undefined || isChange || (ABOUT.test(path) && !/_list$|_describe$|opensearch/.test(path))) continue
      const known = path.includes('{identifier}') ? { ...plain, path: plain.path.replace('A1', 'B1') } : plain
      const [whole, without] = await askBoth(known, {})
      expect(whole.status, `${method} ${known.path} ${whole.body}`).toBe(200)
      expect(whole, `${method} ${known.path}`).not.toEqual(without)
    }
  })

  test('and to whoever is narrowed in one way only', async () => {
    const probe = { method: 'GET', path: '/explore/shared/_search?sort=id' }
    for (const name of ['partition-filter', 'column-filter'] as const) {
      const [whole, without] = await askBoth(probe, { [name]: tenantA[name] ?? '' })
      expect([whole.status, without.status]).toEqual([200, 200])
      expect(whole.body, name).not.toBe(without.body)
    }
  })

  test('gets the same answers whether the others exist or not', async () => {
    let compared = 0
    const good = new Set<string>()
    for (const { method, path, probes } of operations.filter(({ path }) => !classes.closed.test(path))) {
      for (const [i, probe] of probes.entries()) {
        // What another caller was answered just before must not be in the answer.
        if (i % 3 === 0 && path.startsWith('/explore/')) await send(worlds.whole.base, probe, {})
        const [whole, without] = await askBoth(probe, tenantA)
        expect(whole, `${probe.method} ${probe.path} ${JSON.stringify(probe.body)}`).toEqual(without)
        if (whole.status === 200) good.add(`${method} ${path}`)
        compared++
      }
    }
    expect(compared).toBeGreaterThan(1_000)
    // A can use every route that reads, and those that tag
    const readable = [...within(classes.narrowed), ...within(/^\/write\/|_taglist$/)].filter(
      ({ method, path }) => method === 'get' || /^\/(?:explore|write)\//.test(path),
    )
    expect(readable.map(({ method, path }) => `${method} ${path}`).filter((name) => !good.has(name))).toEqual([])
  })

  test('changes nothing, and has no whole indices', async () => {
    const before = await send(worlds.whole.base, { method: 'GET', path: '/collections/_export' }, {})
    for (const { probes } of within(classes.closed)) {
      for (const probe of probes) {
        for (const [name, value] of Object.entries(tenantA)) {
          const { status, body } = await send(worlds.whole.base, probe, { [name]: value })
          expect(status, `${probe.method} ${probe.path} with ${name}: ${body}`).toBe(403)
          expect(body).not.toMatch(/leak|bv|private/)
        }
      }
    }
    expect(await send(worlds.whole.base, { method: 'GET', path: '/collections/_export' }, {})).toEqual(before)
    const { body } = await send(worlds.whole.base, { method: 'GET', path: '/explore/shared/_count' }, {})
    expect(JSON.parse(body)).toMatchObject({ totalnb: 10 })
  })

  test('does not learn from the tag of an answer that others got it too', async () => {
    for (const { method, path, probes } of within(/^\/explore\//)) {
      const [plain] = probes
      if (plain === undefined || method !== 'get' || path.includes('{identifier}')) continue
      const { headers } = await send(worlds.whole.base, plain, {})
      if (headers.etag === undefined) continue
      const answer = await send(worlds.whole.base, plain, { ...tenantA, 'if-none-match': headers.etag })
      expect(answer.status, plain.path).not.toBe(304)
    }
  })

  test('finds nothing of the filter that narrows it in messages or logs', async () => {
    const from = worlds.whole.lines.length
    const filter = '{"f":[[{"field":"hush","op":"eq","value":"hush"},{"field":"place","op":"within","value":"hush"}]]}'
    for (const header of [filter, filter.slice(0, -1), '{"shared":{"hush":1}}', '["hush"]']) {
      const narrowed = { ...tenantA, 'partition-filter': header, 'column-filter': 'shared:seen,shared:hush' }
      const { status, body } = await send(
        worlds.whole.base,
        { method: 'GET', path: '/explore/shared/_search' },
        narrowed,
      )
      expect(status).toBe(400)
      expect(body).not.toContain('hush')
    }
    const logged = worlds.whole.lines.slice(from)
    expect(logged.length).toBeGreaterThan(0)
    expect(JSON.stringify(logged)).not.toContain('hush')
  })
})
