import { createIndex } from '../support/index-loading.ts'

export const mappings = {
  dynamic: false,
  properties: {
    id: { type: 'keyword' },
    kind: { type: 'keyword' },
    tags: { type: 'keyword' },
    title: { type: 'text' },
    seen: { type: 'date' },
    level: { type: 'double' },
    part: { properties: { n: { type: 'integer' }, on: { type: 'boolean' } } },
    large: { type: 'long' },
    address: { type: 'ip' },
    place: { type: 'geo_point' },
    shape: { type: 'geo_shape' },
  },
}

export const COUNT = 60
const HOUR = 3_600_000
const START = Date.UTC(2024, 0, 30)
const KINDS = ['buoy', 'ship', 'Plane']

const square = (x: number, y: number) => ({
  type: 'Polygon',
  coordinates: [
    [
      [x, y],
      [x + 2, y],
      [x + 2, y + 2],
      [x, y + 2],
      [x, y],
    ],
  ],
})

/** Documents with missing and several values. */
export const boats = Array.from({ length: COUNT }, (_, i) => ({
  _id: `b${String(i).padStart(2, '0')}`,
  id: String(i),
  kind: KINDS[i % 3] ?? '',
  tags: i % 5 === 0 ? ['red', 'green'] : i % 5 === 1 ? ['red'] : [],
  title: i % 2 === 0 ? 'A quick brown fox' : 'The lazy brown dog sleeps',
  seen: new Date(START + i * HOUR).toISOString(),
  ...(i % 4 === 0 ? {} : { level: i / 2 - 5 }),
  part: { n: i % 7, on: i % 2 === 0 },
  large: i,
  address: `10.0.0.${i}`,
  place: { lon: i * 2 - 60, lat: i / 2 - 10 },
  shape: square(i * 2 - 60, i / 2 - 10),
}))

export type Boat = (typeof boats)[number]

/** Creates the index `boats`. */
export async function loadBoats(base: string): Promise<void> {
  const lines = boats.flatMap(({ _id, ...boat }) => [JSON.stringify({ index: { _id } }), JSON.stringify(boat)])
  await createIndex(base, 'boats', mappings, `${lines.join('\n')}\n`)
}
