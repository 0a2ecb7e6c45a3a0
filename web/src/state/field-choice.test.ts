import { expect, test } from 'vitest'
import type { Explored } from './explored.ts'
import { firstColumns, firstHistograms, firstRankings, titleField } from './field-choice.ts'
import type { FieldFacts } from './field-facts.ts'

const plain: FieldFacts = {
  filled: 1,
  distinct: 0.1,
  commonest: 0.5,
  length: 8,
  isIdentifier: false,
  isCoordinate: false,
  isLink: false,
}

const known: readonly (readonly [path: string, type: string, facts: Partial<FieldFacts>, distinct?: number])[] = [
  ['id', 'KEYWORD', { isIdentifier: true, distinct: 1 }, 5_000],
  ['remark', 'KEYWORD', { distinct: 1, length: 90 }, 5_000],
  ['url', 'KEYWORD', { distinct: 1, length: 30, isLink: true }, 5_000],
  ['town', 'KEYWORD', { distinct: 0.6, commonest: 0.1 }, 600],
  ['name', 'TEXT', { distinct: 0.95, length: 14 }],
  ['status', 'KEYWORD', { commonest: 0.98 }, 2],
  ['kind', 'KEYWORD', { commonest: 0.4 }, 9],
  ['source', 'KEYWORD', { commonest: 1 }, 1],
  ['latitude', 'DOUBLE', { isCoordinate: true }],
  ['rarely', 'DOUBLE', { filled: 0.1 }],
  ['depth', 'DOUBLE', { commonest: 0.05 }],
  ['same', 'DOUBLE', {}],
  ['time', 'DATE', {}],
]

const explored: Explored = {
  collection: 'stations',
  name: 'Stations',
  fields: known.map(([path, type]) => ({ path, name: path, type, indexed: true, taggable: false, isLabel: false })),
  paths: { id: 'id', geometry: 'geometry', centroid: 'centroid', time: 'time' },
  description: {
    collection_name: 'stations',
    params: { id_path: 'id', geometry_path: 'geometry', centroid_path: 'centroid', timestamp_path: 'time' },
    properties: {},
  },
}
const facts = new Map(known.map(([path, , some]) => [path, { ...plain, ...some }]))
const overview = {
  numbers: new Map([
    ['latitude', { from: 40, to: 50 }],
    ['rarely', { from: 0, to: 3 }],
    ['depth', { from: 0, to: 900 }],
    ['same', { from: 4, to: 4 }],
  ]),
  distinct: new Map(
    known.flatMap(([path, , , distinct]) => (distinct === undefined ? [] : [[path, distinct] as const])),
  ),
}

test('rankings: few values first, then many; no identifiers, links or constants', () => {
  expect(firstRankings(explored, facts, overview, 9)).toEqual(['kind', 'status', 'town'])
})

test('histograms: numbers that differ, those that most documents have first; no coordinates', () => {
  expect(firstHistograms(explored, facts, overview, 9)).toEqual(['depth', 'rarely'])
})

test('the title is a short text that names documents', () => {
  expect(titleField(explored, facts)).toBe('name')
  expect(titleField({ ...explored, fields: explored.fields.filter(({ path }) => path !== 'name') }, facts)).toBe('town')
})

test('columns: the title, short values that tell something, the time', () => {
  const columns = firstColumns(explored, facts)
  expect(columns[0]).toBe('name')
  expect(columns.at(-1)).toBe('time')
  expect(columns).toContain('kind')
  expect(columns).toContain('depth')
  for (const path of ['id', 'remark', 'url', 'latitude']) expect(columns).not.toContain(path)
})

test('without a sample the types alone decide', () => {
  expect(firstColumns(explored, new Map())).toContain('name')
})
