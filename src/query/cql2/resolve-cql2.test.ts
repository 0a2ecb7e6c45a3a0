import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../model/json/document.ts'
import { holds } from '../evaluate/evaluate.fixture.ts'
import { expressionBudget } from '../plan/expression-budget.ts'
import { limits, sampleView } from '../request/sample-collection.fixture.ts'
import { schemaOf } from '../schema/schema.ts'
import type { Cql2Context } from './cql2-context.ts'
import { Cql2Fault } from './cql2-fault.ts'
import { parseCql2Json } from './json-parser.ts'
import { printCql2Json, printCql2Text } from './printer.ts'
import { resolveCql2 } from './resolve-cql2.ts'
import { parseCql2Text } from './text-parser.ts'

const schema = schemaOf([
  {
    name: 'things',
    mapping: {
      properties: {
        name: { type: 'keyword' },
        tags: { type: 'keyword' },
        n: { type: 'integer' },
        list: { type: 'integer' },
        x: { type: 'double' },
        flag: { type: 'boolean' },
        flags: { type: 'boolean' },
        seen: { type: 'date' },
        until: { type: 'date' },
        body: { type: 'text' },
        ip: { type: 'ip' },
        place: { type: 'geo_point' },
        area: { type: 'geo_shape' },
        'a-b': { type: 'keyword' },
        parts: { type: 'nested', properties: { name: { type: 'keyword' } } },
      },
    },
  },
])

const context = (): Cql2Context => ({
  schema,
  budget: expressionBudget(limits),
  limits,
  parameter: 'filter',
  owner: 'collection things',
})

const depth = { depth: limits.filterDepth, vertices: limits.vertices }

const document: JsonObject = {
  name: 'Straße',
  tags: ['red', 'green'],
  n: 5,
  list: [1, 2],
  x: 1.5,
  flag: true,
  flags: [true, false],
  seen: '2024-05-01T12:00:00Z',
  until: '2024-05-03T00:00:00Z',
  place: [10, 20],
  area: {
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [10, 0],
        [10, 10],
        [0, 10],
        [0, 0],
      ],
    ],
  },
  'a-b': 'x',
}

const accepts = (filter: string, source: JsonObject): boolean => {
  const parsed = parseCql2Text(filter, depth)
  const answer = holds(resolveCql2(parsed, context()), source)
  // Both printed forms mean the same.
  const again = parseCql2Text(printCql2Text(parsed), depth)
  const json = parseCql2Json(JSON.parse(JSON.stringify(printCql2Json(parsed))), depth)
  expect(holds(resolveCql2(again, context()), source)).toBe(answer)
  expect(holds(resolveCql2(json, context()), source)).toBe(answer)
  return answer
}

/** true: the filter keeps the document; false: its negation does; null: neither does. */
function truth(filter: string, source: JsonObject = document): boolean | null {
  const [yes, no] = [accepts(filter, source), accepts(`NOT (${filter})`, source)]
  expect(yes && no).toBe(false)
  return yes ? true : no ? false : null
}

describe('three-valued logic', () => {
  test.each<[string, boolean | null]>([
    ['n = 1', null],
    ['n <> 1', null],
    ['n > 1', null],
    ["name LIKE 'a%'", null],
    ['n BETWEEN 1 AND 2', null],
    ['n IN (1, 2)', null],
    ['n IS NULL', true],
    ['n IS NOT NULL', false],
    ['n = 1 OR TRUE', true],
    ['n = 1 OR FALSE', null],
    ['n = 1 AND FALSE', false],
    ['n = 1 AND TRUE', null],
    ['NOT n = 1', null],
    ['S_INTERSECTS(place, POINT(0 0))', null],
    ['S_DISJOINT(place, POINT(0 0))', null],
    ["T_AFTER(seen, TIMESTAMP('2024-01-01T00:00:00Z'))", null],
    ["A_CONTAINS(tags, ('a'))", null],
    ['flag', null],
  ])('%s of an empty document', (filter, expected) => {
    expect(truth(filter, {})).toBe(expected)
  })
})

describe('comparisons', () => {
  test.each<[string, boolean | null]>([
    ["name = 'Straße'", true],
    ["name <> 'Straße'", false],
    ["'Straße' = name", true],
    ["CASEI(name) = CASEI('STRAßE')", true],
    ["CASEI(name) IN (CASEI('x'), CASEI('sTRAßE'))", true],
    ["CASEI(name) LIKE casei('str%E')", true],
    ["CASEI(name) <> casei('stra')", true],
    ["name LIKE 'Str%'", true],
    ["name LIKE 'S_ra_e'", true],
    ["name LIKE 'Str'", false],
    ["name LIKE '%'", true],
    ["name NOT LIKE '%z%'", true],
    ['n = 5', true],
    ['5 = n', true],
    ['4 < n', true],
    ['n < 5.5', true],
    ['n > 4.5', true],
    ['n = 5.5', false],
    ['n <> 5.5', true],
    ['x = 1.50', true],
    ['n = -5', false],
    ['n BETWEEN 5 AND 6', true],
    ['n BETWEEN 6 AND 5', false],
    ['n NOT BETWEEN 1 AND 4', true],
    ['n IN (1, 5)', true],
    ['n NOT IN (1, 2)', true],
    ['flag = TRUE', true],
    ['flag', true],
    ['NOT flag', false],
    ["seen = DATE('2024-05-01')", true],
    ["seen > DATE('2024-05-01')", false],
    ["seen >= DATE('2024-05-01')", true],
    ["seen < DATE('2024-05-02')", true],
    ["seen <= DATE('2024-05-01')", true],
    ["seen <> DATE('2024-05-01')", false],
    ["seen = TIMESTAMP('2024-05-01T14:00:00+02:00')", true],
    ["seen < '2024-05-01T12:00:01Z'", true],
    ["seen BETWEEN TIMESTAMP('2024-05-01T00:00:00Z') AND DATE('2024-05-01')", true],
    ['1 = 1', true],
    ["'a' = 'b'", false],
    ["'abc' LIKE 'a%c'", true],
    ["CASEI('ABC') = casei('abc')", true],
    ['"a-b" = \'x\'', true],
    ["(n = 5 AND (name = 'x' OR x > 1))", true],
  ])('%s', (filter, expected) => {
    expect(truth(filter)).toBe(expected)
  })

  test.each<[string, boolean | null]>([
    ['list = 2', true],
    ['list <> 2', true],
    ['list > 1', true],
    ['list BETWEEN 3 AND 9', false],
    ["tags <> 'red'", true],
    ['flags = FALSE', true],
    ["A_CONTAINS(tags, ('red'))", true],
    ["A_CONTAINS(tags, ('red', 'blue'))", false],
    ['A_CONTAINS(tags, ())', true],
    ["A_CONTAINEDBY(tags, ('red', 'green', 'blue'))", true],
    ["A_CONTAINEDBY(tags, ('red', 'blue'))", false],
    ["A_CONTAINS(('red', 'green', 'blue'), tags)", true],
    ["A_EQUALS(tags, ('green', 'red'))", true],
    ["A_EQUALS(tags, ('green'))", false],
    ["A_OVERLAPS(tags, ('blue', 'red'))", true],
    ['A_EQUALS(list, (2, 1))', true],
    ['A_CONTAINEDBY(list, (3, 1))', false],
    ['A_EQUALS(flags, (TRUE, FALSE))', true],
    ['A_EQUALS(flags, (TRUE))', false],
  ])('%s, of several values', (filter, expected) => {
    expect(truth(filter)).toBe(expected)
  })
})

describe('space and time', () => {
  test.each<[string, boolean | null]>([
    ['S_INTERSECTS(place, POINT(10 20))', true],
    ['S_INTERSECTS(POINT(10 20), place)', true],
    ['S_INTERSECTS(area, BBOX(5, 5, 15, 15))', true],
    ['S_WITHIN(area, BBOX(-1, -1, 11, 11))', true],
    ['S_WITHIN(area, BBOX(1, 1, 11, 11))', false],
    ['S_DISJOINT(area, POLYGON((20 20, 30 20, 30 30, 20 20)))', true],
    // The direction of a ring has no meaning.
    ['S_INTERSECTS(area, POLYGON((20 20, 30 30, 30 20, 20 20)))', false],
    ['S_INTERSECTS(area, POINT Z (1 1 5))', true],
    ['S_INTERSECTS(area, LINESTRING(-5 5, 15 5))', true],
    ['S_INTERSECTS(place, BBOX(170, 0, -170, 30))', false],
    ['S_INTERSECTS(place, BBOX(0, 20, 20, 20))', true],
    ["T_AFTER(seen, DATE('2024-04-30'))", true],
    ["T_AFTER(seen, DATE('2024-05-01'))", false],
    ["T_BEFORE(seen, TIMESTAMP('2024-05-01T12:00:00Z'))", false],
    ["T_DURING(seen, INTERVAL('2024-05-01T00:00:00Z', '..'))", true],
    ["T_DURING(seen, INTERVAL('2024-05-01T12:00:00Z', '..'))", false],
    ["T_INTERSECTS(seen, INTERVAL('2024-05-01T12:00:00Z', '2024-05-01T13:00:00Z'))", true],
    ["T_INTERSECTS(seen, DATE('2024-05-01'))", true],
    ["T_DISJOINT(seen, INTERVAL('..', '2024-04-30'))", true],
    ["T_EQUALS(seen, TIMESTAMP('2024-05-01T12:00:00Z'))", true],
    ["T_DURING(INTERVAL(seen, until), INTERVAL('2024-05-01', '2024-05-03'))", true],
    ["T_CONTAINS(INTERVAL(seen, until), INTERVAL('2024-05-02', '2024-05-02'))", true],
    ["T_OVERLAPS(INTERVAL(seen, until), INTERVAL('2024-05-02', '2024-06-02'))", true],
    ["T_OVERLAPPEDBY(INTERVAL(seen, until), INTERVAL('2024-04-02', '2024-05-02'))", true],
    ["T_MEETS(INTERVAL(seen, until), INTERVAL('2024-05-03T00:00:00Z', '..'))", true],
    ["T_METBY(INTERVAL(seen, until), INTERVAL('..', '2024-05-01T12:00:00Z'))", true],
    ["T_STARTS(INTERVAL(seen, until), INTERVAL('2024-05-01T12:00:00Z', '2024-05-04'))", true],
    ["T_STARTEDBY(INTERVAL(seen, until), INTERVAL('2024-05-01T12:00:00Z', '2024-05-02'))", true],
    ["T_FINISHES(INTERVAL(seen, until), INTERVAL('2024-05-01', '2024-05-03T00:00:00Z'))", true],
    ["T_FINISHEDBY(INTERVAL(seen, until), INTERVAL('2024-05-02', '2024-05-03T00:00:00Z'))", true],
  ])('%s', (filter, expected) => {
    expect(truth(filter)).toBe(expected)
  })
})

const faultOf = (filter: string): Cql2Fault => {
  try {
    resolveCql2(parseCql2Text(filter, depth), context())
  } catch (error) {
    if (error instanceof Cql2Fault) return error
    throw error
  }
  throw new Error(`${filter} was accepted`)
}

test.each<[filter: string, at: number, reason: RegExp]>([
  ['', 0, /expected a property/],
  ['n =', 3, /but it ends/],
  ['n = 1 n', 6, /expected the end, AND or OR, but found n/],
  ["name = 'a", 9, /closing '/],
  ['n = 1 AND', 9, /expected a property/],
  ['n IN 1', 5, /expected \(/],
  ['n BETWEEN 1', 11, /expected AND/],
  ['n NOT 1', 6, /LIKE, BETWEEN or IN/],
  ['n # 1', 2, /unexpected #/],
  ['n + 1 = 2', 2, /arithmetic/],
  ['-n = 2', 0, /arithmetic/],
  ['ACCENTI(name) = 1', 0, /function ACCENTI/],
  ['buffer(place, 1)', 0, /function BUFFER/],
  ['missing = 1', 0, /missing, which is not a property of collection things/],
  ['parts.name = 1', 0, /cannot be used in filters/],
  ["n = 'a'", 4, /with numbers/],
  ['name = 1', 7, /with texts/],
  ['seen = 1', 7, /dates or times/],
  ["seen = TIMESTAMP('yesterday')", 7, /dates and times/],
  ['flag > TRUE', 7, /must not use >/],
  ["body = 'x'", 7, /only words are indexed/],
  ['n = name', 0, /n, a property of type INTEGER, with name, a property of type KEYWORD/],
  ['flag < flag', 0, /must not use < on flag/],
  ['CASEI(name) = CASEI(name)', 0, /CASEI on two properties/],
  ['n', 0, /compare n with a value/],
  ['5', 0, /a condition/],
  ['S_INTERSECTS(n, POINT(0 0))', 13, /not with geometries/],
  ['S_INTERSECTS(place, POINT(0))', 20, /geometry that/],
  ['S_INTERSECTS(place, BBOX(0, 5, 5, 4))', 20, /south greater than north/],
  ['S_INTERSECTS(place, BBOX(0, 5, 5))', 20, /four or six/],
  ["T_AFTER(name, DATE('2024-05-01'))", 8, /not with times/],
  ["T_DURING(seen, INTERVAL('2024-05-02', '2024-05-01'))", 15, /end before it starts/],
])('%s is refused', (filter, at, reason) => {
  const fault = faultOf(filter)
  expect([fault.at, fault.reason]).toEqual([at, expect.stringMatching(reason)])
})

test('the sample schema has properties with dots', () => {
  const filter = parseCql2Text("params.job = 'Actor'", depth)
  const predicate = resolveCql2(filter, { ...context(), schema: sampleView.schema })
  expect(holds(predicate, { params: { job: 'Actor' } })).toBe(true)
})
