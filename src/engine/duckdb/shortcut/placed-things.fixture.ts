import type { Area, Box } from '../../../geo/area.ts'
import type { JsonObject } from '../../../model/json/document.ts'
import type { Mapping } from '../../../model/mapping.ts'
import { and, not, or, type Predicate } from '../../../query/plan/predicate.ts'
import type { Field } from '../../../query/schema/field.ts'
import { TaggedEngine } from '../tagged-engine.fixture.ts'

export const mapping: Mapping = {
  properties: {
    id: { type: 'keyword' },
    kind: { type: 'keyword' },
    note: { type: 'text' },
    seen: { type: 'date' },
    where: { type: 'geo_point' },
    other: { type: 'geo_point' },
  },
}

/** Several portions of blocks, the last one partial. */
const DOCUMENTS = 6_001

export interface Thing extends JsonObject {
  readonly id: string
  readonly where?: readonly [number, number]
}

/** Clustered around the meridian, on a grid, so that many lie on borders. Some have no place, date or kind. */
function make(i: number): Thing {
  const spread = i % 5 === 0 ? 128 : 4
  const place = (n: number, most: number): number => (((n * 7919) % 2_001) / 1_000 - 1) * Math.min(spread, most)
  const rounded = (value: number): number => Math.round(value * 16) / 16
  return {
    id: `id-${String((i * 31) % DOCUMENTS).padStart(5, '0')}`,
    ...(i % 13 === 4 ? {} : { kind: `kind ${i % 4}` }),
    ...(i % 17 === 0 ? {} : { seen: ((i * 37) % 900) * 1000 }),
    ...(i % 19 === 7 ? {} : { where: [rounded(place(i, 128)), rounded(place(i * 3 + 1, 80))] }),
    other: [rounded(place(i + 5, 128)), 0],
    note: i % 2 === 0 ? 'even' : 'odd',
  }
}

export const documents = Array.from({ length: DOCUMENTS }, (_, i) => make(i))

const names = ['id', 'kind', 'note', 'seen', 'where', 'other'] as const
export type ThingFields = Readonly<Record<(typeof names)[number], Field>>

/** Opens an engine with all documents, arranged. Returns it with their fields. */
export async function openThings(): Promise<{ tagged: TaggedEngine; fields: ThingFields }> {
  const tagged = await TaggedEngine.open({})
  await tagged.engine.createIndex('things', mapping)
  await tagged.put('things', Object.fromEntries(documents.map((document, i) => [`d${i}`, document])))
  await tagged.engine.arrange('things')
  const fields = await Promise.all(names.map(async (name) => [name, await tagged.field(name)]))
  return { tagged, fields: Object.fromEntries(fields) }
}

type Holds = (document: Thing) => boolean

/** A predicate, and a plain implementation of it. */
export interface Question {
  readonly predicate: (fields: ThingFields) => Predicate
  readonly holds: Holds
}

const at =
  (holds: (x: number, y: number) => boolean): Holds =>
  ({ where }) =>
    where !== undefined && holds(where[0], where[1])

const nothing: Area = { boxes: [], polygons: [], lines: [], points: [] }
export const inArea =
  (area: Partial<Area>, field: 'where' | 'other' = 'where') =>
  (fields: ThingFields): Predicate => ({
    kind: 'geo',
    field: fields[field],
    relation: 'within',
    area: { ...nothing, ...area },
  })

export const box = (west: number, south: number, east: number, north: number): Question => ({
  predicate: inArea({ boxes: [{ west, south, east, north }] }),
  holds: at((x, y) => x >= west && x <= east && y >= south && y <= north),
})

/** A convex polygon, counter-clockwise, including its border. */
function polygon(...ring: readonly (readonly [number, number])[]): Question {
  const closed = [...ring, ...ring.slice(0, 1)].map(([x, y]) => [x, y])
  const holds = at((x, y) =>
    ring.every(([ax, ay], i) => {
      const [bx, by] = ring[(i + 1) % ring.length] ?? [0, 0]
      return (bx - ax) * (y - ay) - (by - ay) * (x - ax) >= 0
    }),
  )
  return { predicate: inArea({ polygons: [[closed]] }), holds }
}

/** `x/y` of the tile of a place. */
export function tileName([lon, lat]: readonly [number, number], z: number): string {
  const angle = (lat * Math.PI) / 180
  const shares = [(lon + 180) / 360, (1 - Math.asinh(Math.tan(angle)) / Math.PI) / 2]
  return shares.map((share) => Math.floor(share * 2 ** z)).join('/')
}

export function tile(z: number, x: number, y: number): Question {
  return {
    predicate: (fields) => ({ kind: 'cell', field: fields.where, cell: { kind: 'tile', z, x, y }, by: 'point' }),
    holds: at((lon, lat) => tileName([lon, lat], z) === `${x}/${y}`),
  }
}

export const kinds = (...values: string[]): Question => ({
  predicate: (fields) => ({ kind: 'equals', field: fields.kind, values }),
  holds: ({ kind }) => values.includes(String(kind)),
})
const since = (value: number): Question => ({
  predicate: (fields) => ({ kind: 'range', field: fields.seen, lower: { value, inclusive: true } }),
  holds: ({ seen }) => Number(seen) >= value,
})
const dated: Question = {
  predicate: (fields) => ({ kind: 'exists', field: fields.seen }),
  holds: ({ seen }) => seen !== undefined,
}
export const all = (...questions: Question[]): Question => ({
  predicate: (fields) => and(questions.map(({ predicate }) => predicate(fields))),
  holds: (document) => questions.every(({ holds }) => holds(document)),
})
const some = (...questions: Question[]): Question => ({
  predicate: (fields) => or(questions.map(({ predicate }) => predicate(fields))),
  holds: (document) => questions.some(({ holds }) => holds(document)),
})
export const none = ({ predicate, holds }: Question): Question => ({
  predicate: (fields) => not(predicate(fields)),
  holds: (document) => !holds(document),
})

export const octagon = polygon([-2, -1], [-1, -2], [1, -2], [2, -1], [2, 1], [1, 2], [-1, 2], [-2, 1])
function circle(vertices: number): [number, number][] {
  return Array.from({ length: vertices }, (_, i) => {
    const angle = (2 * Math.PI * i) / vertices
    return [40 * Math.cos(angle), 20 * Math.sin(angle)]
  })
}

const twoBoxes: readonly Box[] = [
  { west: 170, south: -80, east: 180, north: 80 },
  { west: -180, south: -80, east: -60, north: 80 },
]

export const questions: readonly [string, Question][] = [
  ['the world', box(-180, -90, 180, 90)],
  ['a box whose borders hold documents', box(-1.5, -1, 2.25, 0.5)],
  ['a point', box(1, 1, 1, 1)],
  ['a box with nothing in it', box(140, 10, 150, 20)],
  [
    'two boxes',
    { predicate: inArea({ boxes: twoBoxes }), holds: at((x, y) => (x >= 170 || x <= -60) && Math.abs(y) <= 80) },
  ],
  ['a polygon', octagon],
  ['a large polygon', polygon([-120, -70], [100, -60], [90, 75], [-100, 60])],
  ['a needle', polygon([-3, -3], [3, 2.9375], [3, 3])],
  [
    'a line and two points beside a polygon',
    {
      predicate: inArea({
        polygons: [
          [
            [
              [2, 2],
              [3, 2],
              [3, 3],
              [2, 2],
            ],
          ],
        ],
        lines: [
          [
            [-1, 0],
            [-1, 3],
          ],
        ],
        points: [
          [0, 0],
          [1, -1],
        ],
      }),
      holds: at(
        (x, y) =>
          (x === -1 && y >= 0 && y <= 3) ||
          (x === 0 && y === 0) ||
          (x === 1 && y === -1) ||
          (y >= 2 && x <= 3 && y <= x),
      ),
    },
  ],
  ['a tile', tile(6, 32, 31)],
  ['the tile of all', tile(0, 0, 0)],
  ['a tile with nothing in it', tile(5, 30, 1)],
  ['a deep tile', tile(12, 2048, 2047)],
  ['a tile and a polygon', all(tile(6, 32, 31), octagon)],
  ['two polygons', all(octagon, polygon([0, 0], [5, 0], [5, 5], [0, 5.0625]))],
  ['one of two polygons', some(octagon, polygon([0, 0], [5, 0], [5, 5], [0, 5.0625]))],
  ['one of two polygons, of a kind', all(some(octagon, box(4, -3, 9, 3)), kinds('kind 1'))],
  ['a polygon of many vertices', polygon(...circle(500))],
  ['two tiles, one inside the other', all(tile(2, 2, 1), tile(6, 32, 31))],
  ['two tiles apart', all(tile(6, 31, 31), tile(6, 32, 31))],
  ['a box of some kinds', all(kinds('kind 1', 'kind 3', 'never'), box(-2, -2, 3, 3))],
  ['a box of all but a kind', all(box(-2, -2, 3, 3), none(kinds('kind 2')))],
  ['a polygon since a moment', all(octagon, since(400_000))],
  ['a polygon not since a moment', all(octagon, none(since(400_000)))],
  ['a tile of those with a moment', all(tile(5, 16, 15), dated)],
  ['a tile of those without', all(tile(5, 16, 15), none(dated))],
]

export const found = ({ holds }: Question): readonly Thing[] => documents.filter(holds)
