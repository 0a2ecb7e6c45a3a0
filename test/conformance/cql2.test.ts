import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeEach, engines } from '../support/engines.ts'
import { call, must, withQuery } from '../support/http-client.ts'
import { createIndex, putCollection } from '../support/index-loading.ts'
import type { RunningServer } from '../support/running-server.ts'
import { toBulk } from './dataset.ts'
import { type Hits, idsOf } from './hits.ts'

const mappings = {
  dynamic: false,
  properties: {
    id: { type: 'keyword' },
    name: { type: 'keyword' },
    alias: { type: 'keyword' },
    n: { type: 'integer' },
    x: { type: 'double' },
    off: { type: 'boolean' },
    on: { type: 'boolean' },
    seen: { type: 'date' },
    until: { type: 'date' },
    where: { type: 'geo_point' },
    area: { type: 'geo_shape' },
  },
}

const square = (w: number, s: number): unknown => ({
  type: 'Polygon',
  coordinates: [
    [
      [w, s],
      [w + 2, s],
      [w + 2, s + 2],
      [w, s + 2],
      [w, s],
    ],
  ],
})

const documents = [
  {
    id: 'a',
    name: ['Alpha', 'beta'],
    alias: ['beta', '\u{1F600}'],
    n: [1, 5],
    x: 4.5,
    off: false,
    on: true,
    seen: '2024-05-01T12:00:00Z',
    until: '2024-05-03T00:00:00Z',
    where: [1, 1],
    area: square(0, 0),
  },
  {
    id: 'b',
    name: 'beta',
    alias: 'alpha',
    n: 5,
    x: [5, 6],
    on: false,
    off: false,
    seen: '2024-06-01T00:00:00Z',
    until: '2024-06-01T00:00:00Z',
    where: [50, 50],
    area: square(49, 49),
  },
  {
    id: 'c',
    name: "O'Neil 100%",
    alias: '\uFFFD',
    n: -3,
    x: -3.5,
    seen: '2023-01-01T00:00:00Z',
    where: [179, 0],
    area: square(177, -1),
  },
  { id: 'd' },
]

const cases: readonly (readonly [filter: string, ids: readonly string[]])[] = [
  ['n = 5', ['a', 'b']],
  ['n <> 5', ['a', 'c']],
  ['NOT n = 5', ['c']],
  ['NOT (n = 5 OR name IS NULL)', ['c']],
  ['n IS NULL', ['d']],
  ['n IS NOT NULL AND n < 0', ['c']],
  ['n BETWEEN 2 AND 4', []],
  ['n NOT IN (1, 5)', ['c']],
  ['n = 5.5', []],
  ['n > 4.5', ['a', 'b']],
  ["name = 'beta'", ['a', 'b']],
  ["name LIKE 'be%'", ['a', 'b']],
  ["name LIKE '%ta'", ['a', 'b']],
  ["name LIKE 'O''N__l 100\\%'", ['c']],
  ["name NOT LIKE 'A%'", ['b', 'c']],
  ["CASEI(name) = CASEI('ALPHA')", ['a']],
  ["CASEI(name) LIKE CASEI('o''%')", ['c']],
  ["name > 'b'", ['a', 'b']],
  ['on', ['a']],
  ['NOT on', ['b']],
  ["seen >= DATE('2024-05-01') AND seen < '2024-05-02'", ['a']],
  ["T_DURING(seen, INTERVAL('2024-01-01', '..'))", ['a', 'b']],
  ["T_BEFORE(seen, TIMESTAMP('2024-01-01T00:00:00Z'))", ['c']],
  ["T_INTERSECTS(INTERVAL(seen, until), INTERVAL('2024-05-02', '2024-05-02'))", ['a']],
  ["NOT T_DISJOINT(INTERVAL(seen, until), INTERVAL('2024-05-02', '2024-05-02'))", ['a']],
  ["A_CONTAINS(name, ('Alpha', 'beta'))", ['a']],
  ["A_CONTAINEDBY(name, ('Alpha', 'beta', 'x'))", ['a', 'b']],
  ["A_EQUALS(name, ('beta'))", ['b']],
  ["A_OVERLAPS(name, ('Alpha', 'x'))", ['a']],
  ['S_INTERSECTS(area, BBOX(-1, -1, 1, 1))', ['a']],
  ['S_WITHIN(area, BBOX(-1, -1, 3, 3))', ['a']],
  ['S_DISJOINT(area, POLYGON((-1 -1, 3 -1, 3 3, -1 3, -1 -1)))', ['b', 'c']],
  ['NOT S_DISJOINT(where, BBOX(170, -10, -170, 10))', ['c']],
  ['S_INTERSECTS(where, POINT(50 50))', ['b']],
  ['S_INTERSECTS(area, LINESTRING(-5 0.5, 60 0.5))', ['a']],
  ['S_CONTAINS(area, POINT(1 1))', ['a']],
  ['S_CONTAINS(area, POINT(0 1))', []],
  ['S_CONTAINS(area, BBOX(49, 49, 50, 50))', ['b']],
  ['S_WITHIN(POLYGON((49.5 49.5, 50 49.5, 50 50, 49.5 49.5)), area)', ['b']],
  ['NOT S_CONTAINS(area, BBOX(49, 49, 50, 50))', ['a', 'c']],
  ['S_EQUALS(area, POLYGON((2 0, 2 2, 1 2, 0 2, 0 0, 2 0)))', ['a']],
  ['S_EQUALS(BBOX(177, -1, 179, 1), area)', ['c']],
  ['S_EQUALS(area, BBOX(0, 0, 2, 1))', []],
  ['S_TOUCHES(area, POINT(2 1))', ['a']],
  ['S_TOUCHES(area, BBOX(2, 0, 49, 49))', ['a', 'b']],
  ['S_TOUCHES(area, BBOX(1, 0, 49, 49))', ['b']],
  ['S_TOUCHES(area, LINESTRING(-5 2, 60 2))', ['a']],
  ['S_CROSSES(area, LINESTRING(-5 0.5, 60 0.5))', ['a']],
  ['S_CROSSES(area, LINESTRING(-5 2, 60 2))', []],
  ['S_CROSSES(area, BBOX(1, 1, 3, 3))', []],
  ['S_OVERLAPS(area, BBOX(1, 1, 3, 3))', ['a']],
  ['S_OVERLAPS(area, BBOX(-1, -1, 3, 3))', []],
  ['S_OVERLAPS(area, BBOX(178, -1, -178, 1))', ['c']],
  ['S_EQUALS(where, POINT(50 50))', ['b']],
  ['S_CONTAINS(where, POINT(50 50))', ['b']],
  ['S_TOUCHES(where, BBOX(1, 0, 5, 5))', ['a']],
  ['S_CROSSES(where, BBOX(0, 0, 5, 5))', []],
  ['S_OVERLAPS(where, POINT(50 50)) OR S_TOUCHES(area, POINT(177 -1))', ['c']],
  ['n = x', ['b']],
  ['n <> x', ['a', 'b', 'c']],
  ['n < x', ['a', 'b']],
  ['NOT n < x', ['c']],
  ['n >= x', ['a', 'b', 'c']],
  ['x > n AND n > 1', ['a', 'b']],
  ['n BETWEEN x AND 100', ['a', 'b', 'c']],
  ['5 BETWEEN x AND n', ['a', 'b']],
  ['name = alias', ['a']],
  ['NOT name = alias', ['b', 'c']],
  ['name < alias', ['a', 'c']],
  ['alias > name AND n < 0', ['c']],
  ['alias < name', ['b']],
  ['on = off', ['b']],
  ['on <> off', ['a']],
  ['seen < until', ['a']],
  ['seen = until', ['b']],
  ['T_BEFORE(seen, until)', ['a']],
  ['T_EQUALS(seen, until)', ['b']],
  ['NOT T_AFTER(until, seen)', ['b']],
  ['n = x OR name IS NULL', ['b', 'd']],
  ['TRUE', ['a', 'b', 'c', 'd']],
  ['n = 5 AND 1 = 2', []],
]

describeEach(engines)('CQL2 in exploration ($name)', (engine) => {
  let server: RunningServer
  beforeAll(async () => {
    server = await engine.start()
    await createIndex(server.base, 'cql2', mappings, toBulk(documents))
    await putCollection(server.base, 'cql2', {
      index_name: 'cql2',
      id_path: 'id',
      geometry_path: 'area',
      centroid_path: 'where',
      timestamp_path: 'seen',
    })
  })
  afterAll(() => server?.stop())

  const ids = async (path: string): Promise<readonly (string | undefined)[]> =>
    idsOf((await must(server.base, { path })) as Hits)
  const search = '/explore/cql2/_search'

  test.each(cases)('%s', async (filter, expected) => {
    expect(await ids(withQuery(search, [['filter', filter]]))).toEqual(expected)
    const body = { filter: { cql2: filter } }
    const posted = await must(server.base, { method: 'POST', path: search, body })
    expect(idsOf(posted as Hits)).toEqual(expected)
  })

  const inJson = { op: 'and', args: [{ op: '=', args: [{ property: 'n' }, 5] }, { property: 'on' }] }

  test('the JSON form, beside f', async () => {
    const parameters = [
      ['filter', JSON.stringify(inJson)],
      ['filter-lang', 'cql2-json'],
    ] as const
    expect(await ids(withQuery(search, parameters))).toEqual(['a'])
    expect(await ids(withQuery(search, [...parameters, ['f', 'name:eq:Alpha']]))).toEqual(['a'])
    expect(await ids(withQuery(search, [...parameters, ['f', 'name:ne:Alpha']]))).toEqual([])
    const body = { filter: { cql2: inJson, f: [[{ field: 'n', op: 'gt', value: '4' }]] } }
    expect(idsOf((await must(server.base, { method: 'POST', path: search, body })) as Hits)).toEqual(['a'])
  })

  test('links, counts and aggregations have it too', async () => {
    const first = (await must(server.base, {
      path: withQuery(search, [
        ['filter', 'n = 5'],
        ['size', 1],
        ['sort', 'id'],
      ]),
    })) as Hits
    const next = new URL(first.links.next?.href ?? '')
    expect(await ids(next.pathname + next.search)).toEqual(['b'])
    const filter: [string, string] = ['filter', "name = 'beta'"]
    expect(await must(server.base, { path: withQuery('/explore/cql2/_count', [filter]) })).toMatchObject({ totalnb: 2 })
    const aggregated = await must(server.base, {
      path: withQuery('/explore/cql2/_aggregate', [filter, ['agg', 'term:n']]),
    })
    expect(JSON.stringify(aggregated)).toContain('"count":2')
  })

  const grid: readonly [string, string] = ['agg', 'geotile:where:interval-4']
  /** What operations need besides the filter. A path that is missing here fails the test. */
  const needed: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
    _search: [['sort', 'id']],
    _geosearch: [['sort', 'id']],
    '_geosearch/{z}/{x}/{y}': [['sort', 'id']],
    _shapesearch: [],
    _count: [],
    _aggregate: [['agg', 'term:n']],
    _geoaggregate: [grid],
    '_geoaggregate/{geohash}': [['agg', 'geohash:where:interval-4']],
    '_geoaggregate/{z}/{x}/{y}': [grid],
    _shapeaggregate: [grid],
    _compute: [
      ['field', 'n'],
      ['metric', 'sum'],
    ],
    _suggest: [
      ['field', 'name'],
      ['q', 'b'],
    ],
    _mvt: [],
    '_mvt/{z}/{x}/{y}.mvt': [],
    '_tile/{z}/{x}/{y}.png': [],
  }

  test('every operation that accepts f accepts filter, with the same result', async () => {
    const { paths } = (await must(server.base, { path: '/openapi.json' })) as {
      readonly paths: Readonly<Record<string, { readonly get?: { readonly parameters?: readonly { name: string }[] } }>>
    }
    const accepting = (name: string): readonly string[] =>
      Object.entries(paths).flatMap(([path, { get }]) =>
        path.startsWith('/explore') && get?.parameters?.some((one) => one.name === name) ? [path] : [],
      )
    const operations = accepting('f')
    expect(accepting('filter')).toEqual(operations)
    for (const template of operations) {
      const name = template.replace(/^\/explore\/\{collections?\}\//, '')
      const path = template
        .replace(/\{collections?\}/, 'cql2')
        .replace('{geohash}', 'v')
        .replace(/\{[xyz]\}/g, '0')
      const answered = async (...filter: readonly (readonly [string, string])[]) => {
        const answer = await call(server.base, {
          path: withQuery(path, [...(needed[name] ?? [['', name]]), ...filter]),
        })
        expect([template, answer.status]).toEqual([template, 200])
        // The first event has the number of documents.
        if (name === '_live') return /"total":\d+/.exec(answer.text)?.[0]
        if (!/json/.test(String(answer.headers['content-type']))) return answer.bytes.length
        // Links have the parameters of the request.
        const { query_time, total_time, links, tiles, ...rest } = answer.json() as Readonly<Record<string, unknown>>
        return rest
      }
      const whole = await answered()
      const [byFilter, byF] = [await answered(['filter', "name = 'Alpha'"]), await answered(['f', 'name:eq:Alpha'])]
      expect([template, byFilter]).toEqual([template, byF])
      if (name !== '_mvt') expect([template, byFilter]).not.toEqual([template, whole])
    }
  })

  test.each<[string, readonly (readonly [string, string])[], string, RegExp]>([
    ['a syntax error', [['filter', 'n ==']], 'INVALID_FILTER', /expected a property.*character 4/],
    ['an unknown property', [['filter', 'nope = 1']], 'INVALID_FILTER', /nope, which is not a property/],
    [
      'an unknown language',
      [
        ['filter', 'n = 1'],
        ['filter-lang', 'sql'],
      ],
      'INVALID_PARAMETER',
      /filter-lang/,
    ],
    [
      'text that is not JSON',
      [
        ['filter', 'n = 1'],
        ['filter-lang', 'cql2-json'],
      ],
      'INVALID_FILTER',
      /must be JSON/,
    ],
    ['deep nesting', [['filter', `${'NOT '.repeat(101)}on`]], 'LIMIT_EXCEEDED', /limits\.filterDepth/],
    ['brackets', [['filter', '('.repeat(20_000)]], 'LIMIT_EXCEEDED', /limits\.filterDepth/],
    ['a long list', [['filter', `n IN (${'1,'.repeat(10_001)}1)`]], 'LIMIT_EXCEEDED', /limits\.expressions/],
  ])('%s is refused', async (_name, parameters, error, message) => {
    const answer = await call(server.base, { path: withQuery(search, parameters) })
    expect([answer.status, answer.json()]).toEqual([
      400,
      expect.objectContaining({ error, message: expect.stringMatching(message) }),
    ])
  })

  test.each<[string, unknown, RegExp]>([
    ['a number', 5, /filter\.cql2/],
    ['no op', { args: [] }, /filter\.cql2 must have op/],
    ['an unknown function', { op: 'buffer', args: [] }, /filter\.cql2 uses the function buffer/],
    [
      'the place of a fault',
      { op: 'and', args: [true, { op: '=', args: [{ property: 'n' }, 'x'] }] },
      /args\[1\]\.args\[1\]/,
    ],
  ])('%s in a body is refused', async (_name, cql2, message) => {
    const answer = await call(server.base, { method: 'POST', path: search, body: { filter: { cql2 } } })
    expect([answer.status, answer.text]).toEqual([400, expect.stringMatching(message)])
  })
})
