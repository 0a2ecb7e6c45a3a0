import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeEach, engines } from '../../support/engines.ts'
import { call } from '../../support/http-client.ts'
import { seed } from '../../support/seed.ts'
import { isThorough } from '../../support/thorough.ts'
import { type Description, type Probe, probesOf } from './leak-requests.ts'
import { leakRoutes, type RouteClass } from './leak-routes.ts'
import { narrowing, startTwoWorlds, type TwoWorlds, tenantA, tenantB, viewNarrowing } from './two-worlds.ts'

/** Routes whose answer is about the collection, and not of its documents. */
const ABOUT = /^\/collections|_list$|_describe$|opensearch|\/tiles$|\/WebMercatorQuad$|^\/stac(?:\/queryables)?$/

interface ProbedRoute {
  readonly kind: RouteClass | undefined
  readonly method: string
  readonly path: string
  readonly probes: readonly Probe[]
}

interface Outcome {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Headers that are another every time. */
const PASSING = new Set(['date', 'x-request-id', 'content-length', 'connection', 'keep-alive', 'transfer-encoding'])

async function send(base: string, probe: Probe, sent: Readonly<Record<string, string>>): Promise<Outcome> {
  const { method, path, body } = probe
  const answer = await call(base, { method, path, body, headers: { ...probe.headers, ...sent } })
  // The tag of an answer with ids that are drawn is another every time.
  const passing = answer.text === withoutIds(answer.text) ? PASSING : new Set([...PASSING, 'etag'])
  const headers = Object.entries(answer.headers).filter(([name]) => !passing.has(name))
  return {
    status: answer.status,
    headers: Object.fromEntries(headers.map(([name, value]) => [name, withoutIds(String(value))])),
    body: printable(answer.bytes, answer.headers['content-type'] ?? ''),
  }
}

/** Without how long it took and without ids that are drawn; what is no text, as a digest. */
function printable(bytes: Buffer, type: string): string {
  if (!/json|xml|html|text/.test(type)) return createHash('sha256').update(bytes).digest('hex')
  return withoutIds(
    bytes.toString('utf8').replaceAll(/"(?:query_time|total_time)":\s*\d+|"timeStamp":\s*"[^"]*"/g, '""'),
  )
}

/** Among them the names of the part of a cluster each has. */
const withoutIds = (text: string): string =>
  text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g, 'uuid')
    .replaceAll(/\bt-[0-9a-f]{8}-/g, '')
    // Events have a drawn name and a digest of the versions of the indices.
    .replaceAll(/^id: [0-9a-f]{8}\.(\d+\.\d+)\.[0-9a-f]{8}$/gm, 'id: $1')

describeEach(engines)('on the $name engine, a tenant that may see some documents and columns of an index', (engine) => {
  let worlds: TwoWorlds
  let operations: readonly ProbedRoute[]

  beforeAll(async () => {
    worlds = await startTwoWorlds(engine)
    const { paths } = (await worlds.whole.ask('/openapi.json')).json() as Description
    operations = worlds.whole.routes.map((route) => {
      const [verb = '', pattern = ''] = route.split(' ')
      const [method, path] = [verb.toLowerCase(), pattern.replaceAll(/:(\w+)/g, '{$1}')]
      return { kind: leakRoutes.get(route), method, path, probes: probesOf(method, path, paths[path]?.[method] ?? {}) }
    })
  })
  afterAll(() => worlds?.stop())

  const askBoth = (probe: Probe, headers: Readonly<Record<string, string>>) =>
    Promise.all([send(worlds.whole.base, probe, headers), send(worlds.without.base, probe, headers)])

  const within = (kind: RouteClass) => operations.filter((route) => route.kind === kind)

  test('every route of the server is classified, and no other', () => {
    expect([...leakRoutes.keys()].sort()).toEqual(worlds.whole.routes)
    expect(worlds.whole.routes.length).toBeGreaterThan(100)
  })

  test('the two servers do differ, to whoever may see everything', async () => {
    for (const { method, path, probes } of within('narrowed')) {
      const [plain] = probes
      if (plain === undefined || (ABOUT.test(path) && !/_list$|_describe$|opensearch/.test(path))) continue
      const known = path.includes('{identifier}') ? { ...plain, path: plain.path.replace('A1', 'B1') } : plain
      const [whole, without] = await askBoth(known, {})
      expect(whole.status, `${method} ${known.path} ${whole.body}`).toBe(200)
      expect(whole, `${method} ${known.path}`).not.toEqual(without)
    }
  })

  test('and to whoever is narrowed in one way only', async () => {
    const probe = { method: 'GET', path: '/explore/shared/_search?sort=id' }
    for (const name of viewNarrowing) {
      const [whole, without] = await askBoth(probe, { [name]: tenantA[name] ?? '' })
      expect([whole.status, without.status]).toEqual([200, 200])
      expect(whole.body, name).not.toBe(without.body)
    }
  })

  test('gets the same answers whether the others exist or not', async () => {
    const isPart = engine.name === 'cluster' || !isThorough
    let compared = 0
    const good = new Set<string>()
    for (const { method, path, probes } of operations.filter(({ kind }) => kind !== 'closed')) {
      for (const [i, probe] of probes.entries()) {
        // Views are narrowed above the engines: the slower one gets every third request, others each time.
        if (isPart && i > 0 && (i + seed) % 3 !== 0) continue
        // What another caller was answered just before must not be in the answer.
        if (i % 3 === 0 && path.startsWith('/explore/')) await send(worlds.whole.base, probe, {})
        const [whole, without] = await askBoth(probe, tenantA)
        expect(whole, `${probe.method} ${probe.path} ${JSON.stringify(probe.body)}`).toEqual(without)
        if (whole.status === 200) good.add(`${method} ${path}`)
        compared++
      }
    }
    expect(compared).toBeGreaterThan(isPart ? 400 : 1_000)
    // A can use every route that reads, those that tag, and its subscriptions
    const usable = [...within('narrowed'), ...within('own')].filter(
      ({ method, path }) =>
        !/\/admin\/|\{id\}|^\/events/.test(path) && (method !== 'post' || /^\/(?:explore|write|stac)\//.test(path)),
    )
    expect(usable.map(({ method, path }) => `${method} ${path}`).filter((name) => !good.has(name))).toEqual([])
  })

  test('changes nothing, and has no whole indices', async () => {
    const before = await send(worlds.whole.base, { method: 'GET', path: '/collections/_export' }, {})
    for (const { probes } of within('closed')) {
      for (const probe of probes) {
        for (const name of narrowing) {
          const { status, body } = await send(worlds.whole.base, probe, {
            [name]: tenantA[name] ?? '',
            'x-user': 'admin',
          })
          expect(status, `${probe.method} ${probe.path} with ${name}: ${body}`).toBe(403)
          expect(body).not.toMatch(/leak|bv|private/)
        }
      }
    }
    for (const { probes } of within('whole view')) {
      for (const probe of probes.filter(({ path }) => !/nowhere|private/.test(path))) {
        for (const name of viewNarrowing) {
          const { status, body } = await send(worlds.whole.base, probe, { [name]: tenantA[name] ?? '' })
          expect(status, `${probe.method} ${probe.path} with ${name}: ${body}`).toBe(403)
          expect(body).not.toMatch(/leak|bv|private/)
        }
      }
    }
    expect(await send(worlds.whole.base, { method: 'GET', path: '/collections/_export' }, {})).toEqual(before)
    const { body } = await send(worlds.whole.base, { method: 'GET', path: '/explore/shared/_count' }, {})
    expect(JSON.parse(body)).toMatchObject({ totalnb: 10 })
  })

  test('registers no index whose documents it does not see', async () => {
    const paths = { id_path: 'id', geometry_path: 'place', centroid_path: 'place', timestamp_path: 'time' }
    // Nothing of `mine` is hidden from it; of `shared` and `private` something is.
    const builder = {
      ...tenantA,
      'column-filter': `${tenantA['column-filter']},mine:*`,
      'partition-filter': '{"shared":{"q":[["x"]]}}',
    }
    for (const index_name of ['shared', 'private', '*', 's*', 'p*', '*e*']) {
      const body = { ...paths, index_name, organisations: { owner: 'a' } }
      const probe = { method: 'PUT', path: '/collections/mine', body }
      const [whole, without] = await askBoth(probe, builder)
      expect([whole.status, JSON.parse(whole.body).message]).toEqual([
        403,
        'index_name must not match an index that the caller is not allowed to read',
      ])
      expect(whole).toEqual(without)
    }
  })

  test('sees tags of its own view alone, and counts no others', async () => {
    const own = { tag: { path: 'seen', value: 'x' }, label: 'mine' }
    const listed = async () => (await askBoth({ method: 'GET', path: '/status/shared/_taglist' }, tenantA))[0].body
    const before = (JSON.parse(await listed()) as readonly object[]).length
    await askBoth({ method: 'POST', path: '/write/shared/_tag', body: own }, tenantA)
    const list = JSON.parse(await listed()) as readonly { readonly offset: number; readonly label?: string }[]
    expect(list).toHaveLength(before + 1)
    expect(list.map(({ offset }) => offset)).toEqual(list.map((_, i) => i))
    expect(list.filter(({ label }) => label === 'bv')).toEqual([])
    const all = (await worlds.whole.ask('/status/shared/_taglist')).json() as readonly { id: string; label?: string }[]
    const others = all.filter(({ label }) => label === 'bv')
    expect(others).toHaveLength(3)
    for (const { id } of others) {
      const [whole, without] = await askBoth({ method: 'GET', path: `/status/shared/_tag/${id}` }, tenantA)
      expect([whole.status, whole]).toEqual([404, without])
    }
  })

  test('sees no subscription of others', async () => {
    const [whole, without] = await askBoth({ method: 'GET', path: '/subscriptions?size=1000' }, tenantA)
    expect(whole).toEqual(without)
    const ofB = (await worlds.whole.ask('/subscriptions', tenantB)).json() as {
      readonly subscriptions: readonly { readonly id: string }[]
    }
    const [id] = ofB.subscriptions.map((one) => one.id)
    for (const path of ['', '/deliveries', '/deliveries/x', '/secret']) {
      expect((await worlds.whole.ask(`/subscriptions/${id}${path}`, tenantA)).status).toBe(403)
    }
  })

  test('does not learn from the tag of an answer that others got it too', async () => {
    for (const { method, path, probes } of within('narrowed')) {
      const [plain] = probes
      if (plain === undefined || method !== 'get' || !/^\/explore\/(?!.*\{identifier\})/.test(path)) continue
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
