import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDuckdbEngine } from '../../src/engine/duckdb/open-engine.ts'
import type { Engine } from '../../src/engine/engine.ts'
import type { JsonObject } from '../../src/model/json/document.ts'
import { withExactIntegers } from '../../src/model/json/exact-json.ts'
import type { Mapping } from '../../src/model/mapping.ts'
import { compileEvaluator } from '../../src/query/evaluate/predicate-evaluator.ts'
import { resolveSelection } from '../../src/query/request/effective-query.ts'
import { limits, NOW } from '../../src/query/request/sample-collection.fixture.ts'
import { compilePatterns } from '../../src/query/schema/field-pattern.ts'
import { indexFields } from '../../src/query/schema/index-fields.ts'
import { schemaOf } from '../../src/query/schema/schema.ts'
import { seed } from '../support/seed.ts'
import { type Clause, scalarClause } from './oracle/clauses.ts'
import { collection, documents, mapping } from './oracle/documents.ts'
import { fullText } from './oracle/full-text.ts'
import { geoClause } from './oracle/geo-clauses.ts'
import { tryWithin } from './random-index.ts'

/** The fields of the random documents, and more: values that are copied, and numbers that doubles cannot hold. */
const wider: Mapping = {
  dynamic: false,
  properties: {
    ...(mapping.properties as Mapping['properties']),
    kw: { type: 'keyword', copy_to: ['all'] },
    n: { type: 'integer', copy_to: ['all'] },
    all: { type: 'text' },
    big: { type: 'long' },
    half: { type: 'float' },
    address: { type: 'ip' },
    list: { properties: { place: { type: 'geo_point' }, word: { type: 'keyword' } } },
  },
}

const position = fc.tuple(fc.integer({ min: -8, max: 8 }), fc.integer({ min: -6, max: 6 }))
const bigs = ['9007199254740993', '9007199254740992', '-9223372036854775808', '9223372036854775807', '5']
const addresses = ['10.0.0.1', '::ffff:10.0.0.1', '2001:db8::1', '10.0.0.2']
const halves = [0.1, 0.30000001, 1e30, -2.5]

/** Members that are printed as they are: JSON would round the large numbers. */
const extra = fc
  .record({
    big: fc.option(fc.constantFrom(...bigs)),
    half: fc.option(fc.constantFrom(...halves)),
    address: fc.option(fc.constantFrom(...addresses)),
    list: fc.array(fc.record({ place: fc.oneof(position, fc.array(position)), word: fc.constantFrom('a', 'b', 'A') })),
  })
  .map(({ big, half, address, list }) =>
    [
      ...(big === null ? [] : [`"big":${big}`]),
      ...(half === null ? [] : [`"half":${half}`]),
      ...(address === null ? [] : [`"address":"${address}"`]),
      `"list":${JSON.stringify(list)}`,
    ].join(','),
  )

type Triplet = Pick<Clause, 'field' | 'op' | 'value'>

const comparison = fc.constantFrom('eq', 'ne', 'gt', 'gte', 'lt', 'lte')
const further: fc.Arbitrary<Triplet> = fc.oneof(
  fc.record({ field: fc.constant('big'), op: comparison, value: fc.constantFrom(...bigs) }),
  fc.record({ field: fc.constant('half'), op: comparison, value: fc.constantFrom(...halves.map(String)) }),
  fc.record({ field: fc.constant('address'), op: fc.constantFrom('eq', 'ne'), value: fc.constantFrom(...addresses) }),
  fc.record({
    field: fc.constant('all'),
    op: fc.constantFrom('eq', 'ne', 'like'),
    value: fc.constantFrom('a', 'ab', '2', 'b'),
  }),
  fc.record({
    field: fc.constant('kw'),
    op: fc.constant('like'),
    value: fc.constantFrom('a', '.b', '^a', 'b$', '[ab]+', 'a|1', '.*', '(a|b){2}'),
  }),
  fc.record({
    field: fc.constant('list.place'),
    op: fc.constantFrom('within', 'notwithin', 'intersects', 'notintersects'),
    value: fc.constantFrom('-2,-2,3,3', 'POLYGON((0 0,5 0,5 5,0 5,0 0),(1 1,1 4,4 4,4 1,1 1))', 'POINT(1 1)'),
  }),
  fc.record({
    field: fc.constant('list.word'),
    op: fc.constantFrom('eq', 'ne', 'gt'),
    value: fc.constantFrom('a', 'b'),
  }),
)

const filters = fc.record({
  f: fc.array(fc.array(fc.oneof(scalarClause, geoClause, further), { minLength: 1, maxLength: 3 }), { maxLength: 3 }),
  q: fc.array(
    fc.array(
      fullText.map(({ text }) => text),
      { minLength: 1, maxLength: 2 },
    ),
    { maxLength: 1 },
  ),
})

let directory: string
let engine: Engine
let texts: readonly string[]

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'periplus-test-'))
  engine = await openDuckdbEngine({ directory, memoryMiB: 256, threads: 1, concurrency: 2 })
  const made = fc.sample(fc.tuple(documents(250), fc.array(extra, { minLength: 250, maxLength: 250 })), {
    seed,
    numRuns: 1,
  })
  const [plain = [], extras = []] = made[0] ?? []
  texts = plain.map(({ wire }, i) => `${JSON.stringify(wire).slice(0, -1)},${extras[i]}}`)
  await engine.createIndex('random', wider)
  const results = await engine.write(
    'random',
    texts.map((text, i) => ({ kind: 'index', id: String(i), source: JSON.parse(text) as JsonObject, text })),
  )
  expect(results.filter((result) => !result.ok)).toEqual([])
})
afterAll(async () => {
  await engine.close()
  await rm(directory, { recursive: true, force: true })
})

test('the evaluator agrees with the engine on every document', async () => {
  const infos = await engine.indices('random')
  const view = {
    reference: { collection_name: 'random', params: collection },
    schema: schemaOf(infos),
    hidden: compilePatterns(undefined),
  }
  const fields = indexFields(infos[0]?.mapping ?? wider)
  const sources = texts.map(withExactIntegers)
  await tryWithin(
    filters,
    async (asked) => {
      const filter = {
        f: asked.f.map((group) => group.map(({ field, op, value }) => ({ field, op, value }))),
        q: asked.q,
      }
      const predicate = resolveSelection({ filter }, { collection: view, access: {}, limits, now: NOW, origin: 'body' })
      const { exact, holds } = compileEvaluator(predicate, fields)
      expect(exact).toBe(true)
      const found = new Set<string>()
      for await (const batch of engine.scan({ indices: ['random'], predicate }))
        for (const { id } of batch) found.add(id)
      const wrong = sources.flatMap((source, i) => (holds(source) === found.has(String(i)) ? [] : [texts[i]]))
      expect(wrong, JSON.stringify(filter)).toEqual([])
    },
    400,
    40_000,
  )
})
