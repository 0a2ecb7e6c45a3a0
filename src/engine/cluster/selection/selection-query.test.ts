import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseArea } from '../../../geo/area/filter-area.ts'
import type { Area, Box } from '../../../geo/area.ts'
import { parseKeywordPattern } from '../../../query/pattern/keyword-pattern-parser.ts'
import { and, everything, not, nothing, or, type Predicate, type Scalar } from '../../../query/plan/predicate.ts'
import type { Field } from '../../../query/schema/field.ts'
import {
  address,
  area,
  awkwardDocuments,
  awkwardProperties,
  byte,
  day,
  double,
  fine,
  flag,
  float,
  long,
  text,
  where,
  word,
} from '../awkward-documents.fixture.ts'
import { clusterUnderTest } from '../cluster-under-test.fixture.ts'
import { sendSearch } from '../request/search-call.ts'
import { dropTestIndices, fieldOf, makeTestIndex } from '../test-index.fixture.ts'
import { compileSelection } from './selection-query.ts'

const context = clusterUnderTest()
const names: string[] = []
let index = ''

beforeAll(async () => {
  index = await makeTestIndex(context, 'selection-query', awkwardProperties, awkwardDocuments)
  names.push(index)
})
afterAll(() => dropTestIndices(context, names))

/** Returns the numbers of the selected documents, in order. */
async function select(predicate: Predicate, indices: readonly string[] = [index]): Promise<readonly string[]> {
  const query = await compileSelection(context, { indices, predicate })
  const answer = await sendSearch(context, indices, { query: { bool: { filter: [query] } }, size: 100 })
  return answer.hits.hits
    .map((hit) => (indices.length > 1 ? `${indices.indexOf(hit._index)}:${hit._id}` : hit._id))
    .sort()
}

const equals = (field: Field, ...values: readonly Scalar[]): Predicate => ({ kind: 'equals', field, values })
const from = (field: Field, value: string | number | bigint, inclusive = true): Predicate => ({
  kind: 'range',
  field,
  lower: { value, inclusive },
})
const to = (field: Field, value: string | number | bigint, inclusive = true): Predicate => ({
  kind: 'range',
  field,
  upper: { value, inclusive },
})
const like = (pattern: string): Predicate => ({
  kind: 'pattern',
  field: word,
  pattern: parseKeywordPattern(pattern, 1000),
})
const phrase = (tokens: readonly string[], lastIsPrefix = false, slop = 0): Predicate => ({
  kind: 'phrase',
  field: text,
  tokens,
  lastIsPrefix,
  slop,
})
const fuzzy = (field: Field, value: string, edits: number): Predicate => ({ kind: 'fuzzy', field, word: value, edits })
const drawn = (value: string): Area => parseArea(value, { righthand: true, maxVertices: 5000 })
const geo = (field: Field, relation: 'within' | 'intersects', value: string): Predicate => ({
  kind: 'geo',
  field,
  relation,
  area: drawn(value),
})
const inBox = (field: Field, box: Box): Predicate => ({
  kind: 'geo',
  field,
  relation: 'within',
  area: { boxes: [box], polygons: [], lines: [], points: [] },
})
const tile = (field: Field, z: number, x: number, y: number, by: 'point' | 'shape' = 'point'): Predicate => ({
  kind: 'cell',
  field,
  cell: { kind: 'tile', z, x, y },
  by,
})
const geohash = (hash: string): Predicate => ({
  kind: 'cell',
  field: where,
  cell: { kind: 'geohash', hash },
  by: 'point',
})

const ms = (iso: string): number => Date.parse(iso)

type Case = readonly [name: string, predicate: Predicate, ids: string]

const values: readonly Case[] = [
  ['everything', everything, '01234567'],
  ['nothing', nothing, ''],
  ['no value at all', not({ kind: 'exists', field: word }), '5'],
  ['any of some words', equals(word, 'a', 'zz', '😀'), '01'],
  ['the empty word', equals(word, ''), '4'],
  [
    'more words than a list of terms may have',
    equals(word, 'a', ...Array.from({ length: 70_000 }, (_, i) => `w${i}`)),
    '0',
  ],
  ['the largest integer', equals(long, 9223372036854775807n), '0'],
  ['an integer a double cannot hold', equals(long, 9007199254740993n), '2'],
  ['its neighbour', equals(long, 9007199254740992n), ''],
  ['an integer beyond its type', equals(byte, 128n, 127n), '0'],
  ['only integers beyond their type', equals(byte, 1000n), ''],
  ['zero, also the negative one', equals(double, 0), '01'],
  ['a float after rounding', equals(float, Math.fround(0.1), Math.fround(16777217)), '02'],
  ['a boolean', equals(flag, false), '1'],
  [
    'addresses in either form',
    equals(address, '00000000000000000000ffff01020304', '00000000000000000000ffff01020305'),
    '01',
  ],
  ['an IPv6 address', equals(address, '20010db8000000000000000000000001'), '2'],
  ['dates before 1970', equals(day, ms('1960-01-01'), -1), '01'],
  ['the first instant', equals(day, 0), '2'],
  ['a millisecond of a finer date', equals(fine, ms('2020-01-01T00:00:00.123Z')), '0'],
  ['a millisecond no finer date has', equals(fine, -5, 0), '1'],
]

const ranges: readonly Case[] = [
  ['code points, not code units', from(word, '\uffee', false), '1'],
  ['both ends of words', and([from(word, 'a'), to(word, 'a\nb')]), '02'],
  [
    'one and the same value',
    { kind: 'range', field: long, lower: { value: 0n, inclusive: true }, upper: { value: 10n, inclusive: true } },
    '1',
  ],
  ['integers from below their type', from(byte, -1000n), '01'],
  ['integers from above their type', from(byte, 128n), ''],
  ['past the last integer', from(long, 9223372036854775807n, false), ''],
  ['doubles from zero', from(double, 0), '0124'],
  ['doubles above zero', from(double, 0, false), '24'],
  ['doubles below zero', to(double, 0, false), '3'],
  ['doubles up to zero', to(double, 0), '013'],
  ['floats below one rounded', to(float, Math.fround(0.1), false), '1'],
  ['dates before 1970', to(day, 0, false), '01'],
  ['dates up to 1970', to(day, 0), '012'],
  ['dates above an instant', from(day, -1, false), '12'],
  ['finer dates from before they begin', from(fine, -5), '01'],
  ['finer dates until after they end', to(fine, 8.64e15), '01'],
  ['finer dates before they begin', to(fine, 0, false), ''],
]

const texts: readonly Case[] = [
  ['a part', like('a'), '027'],
  ['a tied pattern', like('^a$'), '0'],
  ['any character, line breaks too', like('^a.b$'), '2'],
  ['beyond the basic plane', like('^.$'), '013'],
  ['a class', like('^[a-c]$'), '01'],
  ['a class without', like('^[^a]$'), '13'],
  ['alternatives', like('^(b|abc)$'), '17'],
  ['an empty alternative', like('^(a|)$'), '04'],
  ['characters special to others', like('"#&<>@~-[*]\\?\\\\$'), '6'],
  ['the same as plain text', like('"#&<>@~-\\*\\?\\\\$'), '6'],
  ['counts', like('^[abc]{2,3}$'), '7'],
  ['a long plain pattern', like(`^${'x'.repeat(990)}`), ''],
  ['a long pattern that repeats itself', like('a'.repeat(990)), ''],
  ['several of them', like(`${'ab'.repeat(200)}.*${'a'.repeat(400)}`), ''],
  ['long alternatives', like(`^(${['abc', ...Array.from({ length: 90 }, (_, i) => `\\d[${i}]x`)].join('|')})$`), '7'],
  ['a prefix', { kind: 'prefix', field: word, prefix: 'a' }, '027'],
  ['a token', phrase(['ice']), '023'],
  ['a phrase', phrase(['ice', 'cream']), '0'],
  ['a beginning', phrase(['ice'], true), '0234'],
  ['a beginning that is no token', phrase(['name:'], true), '2'],
  ['a token with a colon', phrase(['name:is']), '2'],
  ['a phrase with a beginning', phrase(['very', 'co'], true), '3'],
  ['not across values', phrase(['two', 'three']), ''],
  ['with others in between', phrase(['ice', 'cream'], false, 1), '0'],
  ['with two others in between', phrase(['ice', 'cream'], false, 2), '03'],
  ['not across values with others', phrase(['one', 'three'], false, 5), ''],
  ['many tokens', or(Array.from({ length: 2000 }, (_, i) => phrase([i === 0 ? 'icecream' : `t${i}`]))), '4'],
  ['a similar token', fuzzy(text, 'craem', 1), '023'],
  ['a similar word', fuzzy(word, 'acb', 1), '27'],
  ['a short similar word', fuzzy(word, 'c', 1), '0134'],
  ['a word of two', fuzzy(word, 'zz', 2), '0134'],
]

const places: readonly Case[] = [
  ['a box with the point on its corner', geo(where, 'within', '0.1,0.2,1,1'), '6'],
  ['a box that ends at the point', geo(where, 'within', '-1,-1,0.1,0.2'), '06'],
  ['a box without width', geo(where, 'within', '0.1,0,0.1,1'), '6'],
  ['a box over the antimeridian', geo(where, 'within', '170,-90,-160,90'), '123'],
  ['the edge of the world', geo(where, 'within', '180,0,180,90'), '2'],
  ['the world', geo(where, 'within', '-180,-90,180,90'), '0123467'],
  ['one of several points', geo(where, 'within', '9,9,11,11'), '1'],
  [
    'a polygon with a hole',
    geo(where, 'within', 'POLYGON((-15 -15,15 -15,15 15,-15 15,-15 -15),(-6 -6,-6 6,6 6,6 -6,-6 -6))'),
    '14',
  ],
  ['a wide polygon', geo(where, 'within', 'POLYGON((-175 -80,175 -80,170 80,-175 80,-175 -80))'), '01467'],
  ['a line', geo(where, 'within', 'LINESTRING(-20 -20,20 20)'), '017'],
  ['a point', geo(where, 'intersects', 'POINT(0.1 0.2)'), '6'],
  ['points', geo(where, 'within', 'MULTIPOINT((0 0),(180 90))'), '02'],
  ['shapes in a box', inBox(area, { west: -12, south: -12, east: 12, north: 12 }), '01'],
  ['shapes in a box a little smaller', inBox(area, { west: -11.99, south: -12, east: 12, north: 12 }), '0'],
  ['a shape on the corner of a box', inBox(area, { west: 0.1, south: 0.2, east: 1, north: 1 }), '0'],
  ['shapes over the antimeridian', geo(area, 'within', '169,-5,-169,5'), '27'],
  ['a box in a hole', geo(area, 'intersects', '-4,-4,-3,-3'), '3'],
  ['a line across', geo(area, 'intersects', 'LINESTRING(-170 5,170 5)'), '136'],
  ['a line over the antimeridian', geo(area, 'intersects', 'LINESTRING(175 -4,185 4)'), '2'],
  ['a point of a shape', geo(area, 'intersects', 'POINT(0.1 0.2)'), '036'],
  ['a shape that is the point', geo(area, 'within', 'POINT(0.1 0.2)'), '0'],
  ['a wide polygon around shapes', geo(area, 'within', 'POLYGON((-110 -15,130 -15,130 15,-110 15,-110 -15))'), '013'],
  ['shapes apart', not(geo(area, 'intersects', '-180,-90,180,15')), '45'],
]

const cells: readonly Case[] = [
  ['the southern tile owns the equator', tile(where, 1, 1, 1), '04'],
  ['the northern one does not', tile(where, 1, 1, 0), '1267'],
  ['a tile owns its west', tile(where, 1, 0, 1), '3'],
  ['the last column', tile(where, 3, 7, 0), '2'],
  ['a geohash', geohash('s'), '0167'],
  ['the last geohash', geohash('z'), '2'],
  ['tiles by shape', tile(area, 2, 0, 2, 'shape'), '23'],
  ['tiles by centroid', tile(area, 7, 65, 62), '6'],
  ['tiles by centroid in a negation', and([not(tile(area, 0, 0, 0)), { kind: 'exists', field: where }]), ''],
]

describe.each([
  ['values', values],
  ['ranges', ranges],
  ['texts', texts],
  ['places', places],
  ['cells', cells],
])('compileSelection of %s', (_subject, cases) => {
  it.each(cases)('%s', async (_name, predicate, ids) => {
    expect(await select(predicate)).toEqual([...ids])
    const others = [...'01234567'].filter((id) => !ids.includes(id))
    expect(await select(not(predicate))).toEqual(others)
  })
})

describe('compileSelection', () => {
  it('takes deep trees', async () => {
    let tree: Predicate = equals(word, 'a')
    for (let i = 0; i < 100; i++)
      tree = i % 2 === 0 ? or([tree, equals(word, `w${i}`)]) : and([tree, { kind: 'exists', field: word }])
    expect(await select(tree)).toEqual(['0'])
  })

  it('takes more conditions than a query may have', async () => {
    const ranges = Array.from({ length: 3000 }, (_, i) =>
      and([from(long, BigInt(10 * i)), to(long, BigInt(10 * i + 5))]),
    )
    expect(await select(or(ranges))).toEqual(['1'])
    expect(await select(and([equals(word, 'a'), not(or(ranges))]))).toEqual(['0'])
    expect(await select(equals(day, ...Array.from({ length: 3000 }, (_, i) => 2 * i)))).toEqual(['2'])
  })

  it('lets a field have its values only where it has its type', async () => {
    const other = await makeTestIndex(
      context,
      'selection-query',
      {
        word: { type: 'long' },
        long: { type: 'date', format: 'yyyy' },
        text: { type: 'keyword' },
        where: { type: 'keyword' },
        area: { type: 'geo_point' },
        day: { type: 'date_nanos' },
      },
      [{ word: 1, long: '2020', text: 'ice', where: 'x', area: [0.1, 0.2], day: '1970-01-01' }],
    )
    names.push(other)
    const both = [index, other]
    expect(await select(equals(word, 'a'), both)).toEqual(['0:0'])
    expect(await select(equals(long, -5n), both)).toEqual([])
    await expect(select(from(long, -5n), both)).rejects.toMatchObject({ code: 'NOT_IMPLEMENTED' })
    expect(await select(phrase(['ice']), both)).toEqual(['0:0', '0:2', '0:3'])
    expect(await select(geo(where, 'within', '-1,-1,0.1,0.2'), both)).toEqual(['0:0', '0:6'])
    expect(await select(geo(area, 'within', 'POINT(0.1 0.2)'), both)).toEqual(['0:0'])
    expect(await select(and([from(day, 1), to(day, 5)]), both)).not.toContain('1:0')
    await expect(select(from(day, -5), both)).rejects.toMatchObject({ code: 'NOT_IMPLEMENTED' })
    expect(await select(tile(area, 7, 65, 62), both)).toEqual(['0:6'])
    expect(await select(not(equals(fieldOf('nowhere', 'KEYWORD'), 'a')), both)).toHaveLength(9)
  })
})
