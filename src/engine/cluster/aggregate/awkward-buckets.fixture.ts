import type { WireJson, WireObject } from '../../../cluster-client/cluster-client.ts'
import type { Mapping } from '../../../model/mapping.ts'

export const mapping: Mapping = {
  dynamic: false,
  properties: {
    id: { type: 'keyword' },
    kind: { type: 'keyword' },
    tags: { type: 'keyword' },
    address: { type: 'ip' },
    flag: { type: 'boolean' },
    seen: { type: 'date' },
    day: { type: 'date', format: 'yyyy-MM-dd' },
    code: { type: 'long' },
    port: { type: 'integer' },
    ratio: { type: 'float' },
    size: { type: 'double' },
    where: { type: 'geo_point' },
    area: { type: 'geo_shape' },
  },
}

/** Lacks most fields of the other mapping. */
export const narrowMapping: Mapping = {
  dynamic: false,
  properties: { id: { type: 'keyword' }, kind: { type: 'keyword' }, seen: { type: 'date' }, port: { type: 'integer' } },
}

const KINDS = ['buoy', 'ferry', 'tanker', 'été', 'yacht', '\uffee', '🙂', 'a"b\\c', ' tug', 'zzz']
const TAGS = [['a', 'b', 'a'], ['b'], ['c', 'a'], ['d', 'e', 'f', 'b'], ['A']]
const ADDRESSES = ['10.0.0.1', '10.0.0.20', '::1', '2001:db8::1', '255.255.255.255', '0.0.0.0']
const INSTANTS = [
  '1969-12-28T23:59:59.999Z',
  '1969-12-29T00:00:00Z',
  '1950-02-28T12:00:00Z',
  '1969-12-31T23:59:59.999Z',
  '1970-01-01T00:00:00Z',
  '2020-02-29T23:59:59Z',
  '2020-03-01T00:00:00Z',
  '2020-12-31T23:59:59.999Z',
  '2021-01-03T05:06:07Z',
  '1890-10-10T00:00:00Z',
]
const CODES = [9007199254740993n, 9007199254740992n, -9007199254740993n, 0, 7, -7, 14]

const pick = <T>(list: readonly T[], i: number): T => list[i % list.length] as T
const kindOf = (i: number): string => pick(KINDS, i * i + (i >> 3))
const at = (i: number): WireJson => [((i * 37) % 350) - 174.9, ((i * 17) % 160) - 79.9]

function square(i: number, width: number): WireObject {
  const west = ((i * 53) % 300) - 149.7
  const south = ((i * 29) % 120) - 60.3
  const [east, north] = [west + width, south + width / 2]
  const corners = `${west} ${south},${east} ${south},${east} ${north},${west} ${north},${west} ${south}`
  return { type: 'Polygon', coordinates: [corners.split(',').map((corner) => corner.split(' ').map(Number))] }
}

const when = (condition: boolean, members: WireObject): WireObject => (condition ? members : {})

/** Documents with one, several and no values of every type; no tanker has a size. */
export function awkwardDocuments(count: number): readonly WireObject[] {
  return Array.from({ length: count }, (_, i) => ({
    id: `d${String(i).padStart(3, '0')}`,
    ...when(i % 11 !== 0, { kind: kindOf(i) }),
    ...when(i % 3 === 0, { tags: pick(TAGS, i >> 1) }),
    ...when(i % 4 !== 1, { address: i % 7 === 0 ? [pick(ADDRESSES, i), pick(ADDRESSES, i + 1)] : pick(ADDRESSES, i) }),
    ...when(i % 5 !== 0, { flag: i % 13 === 0 ? [true, false] : i % 3 === 0 }),
    ...when(i % 9 !== 0, { seen: i % 10 === 0 ? [pick(INSTANTS, i), pick(INSTANTS, i + 3)] : pick(INSTANTS, i) }),
    day: `20${10 + (i % 4)}-0${1 + (i % 3)}-11`,
    ...when(i % 5 !== 3, { code: pick(CODES, i) }),
    ...when(i % 6 !== 0, { port: (i % 8) - 3 }),
    ...when(i % 7 !== 0, { ratio: i % 14 === 1 ? [0.1, 2.5] : (i % 5) / 10 }),
    ...when(i % 8 !== 0 && kindOf(i) !== 'tanker', { size: i % 9 === 1 ? [-0.25, i / 4] : i / 4 - 5 }),
    ...when(i % 12 !== 0, { where: i % 10 === 0 ? [at(i), at(i + 1), at(i + 2)] : at(i) }),
    ...when(i % 3 !== 1, { area: square(i, pick([0.5, 3, 40], i)) }),
  }))
}

/** Returns the part of a document that an index with `narrowMapping` accepts. */
export function narrowed({ id = null, kind = null, seen = null, port = null }: WireObject): WireObject {
  return { id: `n${String(id)}`, kind, seen, port }
}
