import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Geometry } from '../../src/model/geometry.ts'
import type { JsonObject } from '../../src/model/json/document.ts'
import type { Cql2 } from '../../src/query/cql2/expression.ts'
import { parseCql2Json } from '../../src/query/cql2/json-parser.ts'
import { printCql2Json, printCql2Text } from '../../src/query/cql2/printer.ts'
import { resolveCql2 } from '../../src/query/cql2/resolve-cql2.ts'
import { parseCql2Text } from '../../src/query/cql2/text-parser.ts'
import { holds } from '../../src/query/evaluate/evaluate.fixture.ts'
import { expressionBudget } from '../../src/query/plan/expression-budget.ts'
import { limits } from '../../src/query/request/sample-collection.fixture.ts'
import { schemaOf } from '../../src/query/schema/schema.ts'
import { seed } from '../support/seed.ts'
import { clients, runPython } from './clients.ts'

const schema = schemaOf([
  {
    name: 'things',
    mapping: {
      properties: {
        s: { type: 'keyword' },
        n: { type: 'integer' },
        x: { type: 'double' },
        b: { type: 'boolean' },
        seen: { type: 'date' },
        until: { type: 'date' },
        t: { type: 'keyword' },
        o: { type: 'keyword' },
        place: { type: 'geo_shape' },
      },
    },
  },
])

const at = 0
const property = (name: string): Cql2 => ({ kind: 'property', name, at })
const words = ['a', 'b', 'ab', 'Ab', 'abc', 'é', "o'c", 'x y']
const moments = ['2024-01-01T00:00:00Z', '2024-03-01T12:00:00Z', '2024-06-01T00:00:00Z', '2024-09-01T00:00:00Z']

const text = fc.constantFrom(...words).map((value): Cql2 => ({ kind: 'text', value, at }))
const integer = fc.integer({ min: -3, max: 3 }).map((value): Cql2 => ({ kind: 'number', value: String(value), at }))
const decimal = fc.constantFrom('-1.5', '0.5', '2').map((value): Cql2 => ({ kind: 'number', value, at }))
const instant = fc.constantFrom(...moments).map((value): Cql2 => ({ kind: 'timestamp', value, at }))
const casei = (value: Cql2): Cql2 => ({ kind: 'casei', value, at })

/** A property with literals of its kind. */
const ordered = [
  { name: 's', literal: text },
  { name: 'n', literal: integer },
  { name: 'x', literal: decimal },
  { name: 'seen', literal: instant },
] as const
const someOrdered = fc.constantFrom(...ordered)

const comparison = someOrdered.chain(({ name, literal }) =>
  fc
    .record({ op: fc.constantFrom('=', '<>', '<', '>', '<=', '>=') as fc.Arbitrary<'=' | '<'>, right: literal })
    .map(({ op, right }): Cql2 => ({ kind: 'comparison', op, left: property(name), right, at })),
)
const pairs = [
  ['s', 'o'],
  ['n', 'x'],
  ['seen', 'until'],
] as const
const twoProperties = fc
  .tuple(fc.constantFrom(...pairs), fc.constantFrom('=', '<>', '<', '>', '<=', '>=') as fc.Arbitrary<'=' | '<'>)
  .map(([[a, b], op]): Cql2 => ({ kind: 'comparison', op, left: property(a), right: property(b), at }))
const inList = fc
  .constantFrom(ordered[0], ordered[1])
  .chain(({ name, literal }) =>
    fc
      .array(literal, { minLength: 1, maxLength: 3 })
      .map((list): Cql2 => ({ kind: 'in', value: property(name), list, at })),
  )
const between = fc
  .constantFrom(ordered[1], ordered[2])
  .chain(({ name, literal }) =>
    fc
      .tuple(literal, literal)
      .map(([lower, upper]): Cql2 => ({ kind: 'between', value: property(name), lower, upper, at })),
  )
const patterns = fc.constantFrom('a%', '%b', '_b', 'a_c', '%', 'é', "o'%")
const like = fc.tuple(patterns, fc.boolean()).map(([value, folded]): Cql2 => {
  const pattern: Cql2 = { kind: 'text', value, at }
  const s = property('s')
  return { kind: 'like', value: folded ? casei(s) : s, pattern: folded ? casei(pattern) : pattern, at }
})
const anyCase = fc
  .tuple(text, fc.constantFrom('=', '<>') as fc.Arbitrary<'=' | '<>'>)
  .map(([word, op]): Cql2 => ({ kind: 'comparison', op, left: casei(property('s')), right: casei(word), at }))
const isNull = fc
  .constantFrom('s', 'n', 'seen', 't', 'b')
  .map((name): Cql2 => ({ kind: 'isNull', value: property(name), at }))
const truthOf = fc
  .boolean()
  .map(
    (value): Cql2 => ({ kind: 'comparison', op: '=', left: property('b'), right: { kind: 'boolean', value, at }, at }),
  )
const relations = ['a_contains', 'a_containedby', 'a_equals', 'a_overlaps'] as const
const array = fc
  .tuple(fc.constantFrom(...relations), fc.array(text, { minLength: 1, maxLength: 3 }))
  .map(
    ([relation, items]): Cql2 => ({ kind: 'array', relation, args: [property('t'), { kind: 'list', items, at }], at }),
  )
const position = fc.tuple(fc.integer({ min: -6, max: 6 }), fc.integer({ min: -6, max: 6 }))
// Odd and even coordinates: no point of a document lies on a border, which is part of an area here.
const box = fc
  .tuple(position, position)
  .map(([[a, b], [c, d]]) => [Math.min(a, c) - 0.5, Math.min(b, d) - 0.5, Math.max(a, c) + 0.5, Math.max(b, d) + 0.5])
const spatial = fc.tuple(fc.constantFrom('s_intersects', 's_disjoint', 's_within'), box).map(
  ([relation, [w = 0, s = 0, e = 0, n = 0]]): Cql2 => ({
    kind: 'spatial',
    relation: relation as 's_within',
    args: [
      property('place'),
      {
        kind: 'geometry',
        geometry: {
          type: 'Polygon',
          coordinates: [
            [
              [w, s],
              [e, s],
              [e, n],
              [w, n],
              [w, s],
            ],
          ],
        },
        at,
      },
    ],
    at,
  }),
)
/** A shape with whole coordinates, so that borders meet borders and points of documents. */
const drawn = fc.tuple(position, position, fc.constantFrom('Point', 'LineString', 'Polygon')).map(([a, b, type]) => {
  const [x, y] = a
  const [dx, dy] = [Math.abs(b[0] - x) + 1, Math.abs(b[1] - y) + 1]
  if (type === 'Point') return { type, coordinates: [x, y] }
  const end = [x + dx, y + dy]
  if (type === 'LineString') return { type, coordinates: [[x, y], end] }
  return { type, coordinates: [[[x, y], [x + dx, y], end, [x, y + dy], [x, y]]] }
})
const exactSpatial = fc
  .tuple(fc.constantFrom('s_contains', 's_equals', 's_touches', 's_crosses', 's_overlaps'), drawn)
  .map(
    ([relation, geometry]): Cql2 => ({
      kind: 'spatial',
      relation: relation as 's_equals',
      args: [property('place'), { kind: 'geometry', geometry: geometry as Geometry, at }],
      at,
    }),
  )
const interval = fc
  .tuple(fc.constantFrom(...moments), fc.constantFrom(...moments))
  .filter(([from, to]) => from < to)
  .map(
    ([from, to]): Cql2 => ({
      kind: 'interval',
      from: { kind: 'text', value: from, at },
      to: { kind: 'text', value: to, at },
      at,
    }),
  )
const temporal = fc
  .tuple(fc.constantFrom('t_after', 't_before', 't_disjoint', 't_intersects', 't_equals'), fc.oneof(instant, interval))
  .map(
    ([relation, other]): Cql2 => ({
      kind: 'temporal',
      relation: relation as 't_after',
      args: [property('seen'), other],
      at,
    }),
  )
const periods = ['t_contains', 't_during', 't_finishedby', 't_finishes', 't_meets', 't_metby', 't_overlappedby']
const furtherPeriods = ['t_overlaps', 't_startedby', 't_starts', 't_equals', 't_disjoint', 't_intersects']
const period = fc.tuple(fc.constantFrom(...periods, ...furtherPeriods), interval).map(
  ([relation, other]): Cql2 => ({
    kind: 'temporal',
    relation: relation as 't_starts',
    args: [{ kind: 'interval', from: property('seen'), to: property('until'), at }, other],
    at,
  }),
)

const leaf = fc.oneof(
  comparison,
  twoProperties,
  inList,
  between,
  like,
  anyCase,
  isNull,
  truthOf,
  array,
  spatial,
  exactSpatial,
  temporal,
  period,
)
const { filter } = fc.letrec<{ filter: Cql2 }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    tie('filter').map((member): Cql2 => ({ kind: 'not', member, at })),
    fc
      .tuple(fc.constantFrom('and' as const, 'or' as const), fc.array(tie('filter'), { minLength: 2, maxLength: 3 }))
      .map(([kind, members]): Cql2 => ({ kind, members, at })),
  ),
}))

const start = fc.constantFrom(0, 1, 2)
const document: fc.Arbitrary<JsonObject> = fc
  .record(
    {
      s: fc.constantFrom(...words),
      o: fc.constantFrom(...words),
      n: fc.integer({ min: -3, max: 3 }),
      x: fc.constantFrom(-1.5, 0, 0.5, 2),
      b: fc.boolean(),
      t: fc.uniqueArray(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }),
      place: fc.oneof(
        position.map((coordinates) => ({ type: 'Point', coordinates })),
        drawn,
      ),
      period: fc.tuple(start, fc.option(fc.constantFrom(1, 2, 3))).filter(([a, b]) => b === null || b > a),
    },
    { requiredKeys: [] },
  )
  .map(({ period: ends, ...others }) => ({
    ...others,
    ...(ends === undefined ? {} : { seen: moments[ends[0]] ?? null }),
    ...(ends === undefined || ends[1] === null ? {} : { until: moments[ends[1]] ?? null }),
  }))

const depth = { depth: limits.filterDepth, vertices: limits.vertices }
const context = () => ({
  schema,
  budget: expressionBudget(limits),
  limits,
  parameter: 'filter',
  owner: 'collection things',
})
const accepts = (node: Cql2, source: JsonObject): boolean => holds(resolveCql2(node, context()), source)

test('both forms read back what is printed', () => {
  const stringy = fc.string().filter((value) => !value.endsWith('\\'))
  const odd = fc.tuple(stringy, fc.string({ minLength: 1 })).map(
    ([value, name]): Cql2 => ({
      kind: 'comparison',
      op: '=',
      left: property(name),
      right: { kind: 'text', value, at },
      at,
    }),
  )
  fc.assert(
    fc.property(fc.oneof(filter, odd), (node) => {
      const json = printCql2Json(node)
      const wire: unknown = JSON.parse(JSON.stringify(json))
      expect(printCql2Json(parseCql2Text(printCql2Text(node), depth))).toEqual(json)
      expect(printCql2Json(parseCql2Json(wire, depth))).toEqual(json)
    }),
    { seed, numRuns: 1000 },
  )
})

const ORACLE = `
import json, sys, cql2
answers = []
for f, documents in json.load(sys.stdin):
    expression = cql2.parse_json(json.dumps(f))
    row = []
    for d in documents:
        try:
            row.append(expression.matches(d))
        except Exception as error:
            # Its word for an expression that is neither true nor false.
            if 'reduce' not in str(error): raise
            row.append(False)
    answers.append(row)
print(json.dumps(answers))
`

test.skipIf(clients === undefined)('an independent implementation keeps the same documents', async () => {
  const cases = fc.sample(fc.tuple(filter, fc.array(document, { minLength: 1, maxLength: 12 })), {
    seed,
    numRuns: 1500,
  })
  const asked = cases.map(([node, documents]) => [printCql2Json(node), documents])
  const expected = await runPython(ORACLE, asked)
  const found = cases.map(([node, documents]) => documents.map((source) => accepts(node, source)))
  const different = cases.flatMap(([node, documents], i) =>
    documents.flatMap((source, j) => {
      const theirs = (expected as readonly (readonly boolean[])[])[i]?.[j]
      const ours = found[i]?.[j]
      return theirs === ours ? [] : [{ filter: printCql2Text(node), document: JSON.stringify(source), ours, theirs }]
    }),
  )
  const simplest = different.toSorted((a, b) => a.filter.length - b.filter.length)
  expect(simplest.slice(0, 12), `seed ${seed}`).toEqual([])
  // Neither side may keep everything or nothing.
  expect(new Set(found.flat())).toEqual(new Set([true, false]))
})
