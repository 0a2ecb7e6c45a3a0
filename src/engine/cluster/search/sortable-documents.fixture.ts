import type { WireJson, WireObject } from '../../../cluster-client/cluster-client.ts'
import type { SortKey } from '../../../query/plan/plan.ts'
import type { Scalar } from '../../../query/plan/predicate.ts'
import { compareCodePoints } from '../../../query/value/code-point-order.ts'
import { parseIp } from '../../../query/value/ip-address.ts'
import { fieldOf } from '../test-index.fixture.ts'

const LONGEST = 2n ** 63n - 1n

export const properties = {
  id: { type: 'keyword' },
  word: { type: 'keyword' },
  long: { type: 'long' },
  integer: { type: 'integer' },
  short: { type: 'short' },
  byte: { type: 'byte' },
  double: { type: 'double' },
  float: { type: 'float' },
  half: { type: 'half_float' },
  scaled: { type: 'scaled_float', scaling_factor: 100 },
  day: { type: 'date', format: 'yyyy/MM/dd' },
  nanos: { type: 'date_nanos' },
  flag: { type: 'boolean' },
  address: { type: 'ip' },
  place: { type: 'geo_point' },
}

const words = ['a', 'a,b', 'a\\,b', '', 'é', 'z', '\u{1F600}', '\uFFEE', 'Z', '"']
const instants = ['2020-01-02T03:04:05.123456789Z', '2020-01-02T03:04:05.123Z', '2020-01-02T03:04:05.124Z']
const addresses = ['10.0.0.9', '9.255.0.1', '::1', '2001:db8::1', '::ffff:10.0.0.9']

/** Ties, missing values, several values and the extremes of every type. */
export const documents: readonly WireObject[] = Array.from({ length: 40 }, (_, i) => {
  const has = (step: number): boolean => i % step !== 0
  return {
    id: `id ${String((i * 7) % 40).padStart(2, '0')}`,
    ...(has(4) ? { word: i % 9 === 1 ? [pick(words, i), pick(words, i + 3)] : pick(words, i) } : { word: null }),
    ...(has(3)
      ? {
          long:
            i % 5 === 1 ? [BigInt(i), LONGEST - 1n] : pick([LONGEST, -LONGEST - 1n, 5n, 2n ** 60n + 1n, 2n ** 60n], i),
        }
      : {}),
    ...(has(3) ? { integer: pick([2147483647, -2147483648, 0, 7], i) } : { integer: [] }),
    ...(has(5) ? { short: pick([32767, -32768, 3], i) } : {}),
    ...(has(5) ? { byte: [pick([127, -128, 3], i), 3] } : {}),
    ...(has(6) ? { double: pick([1.7e308, -1.7e308, 0.1, -0.5], i) } : {}),
    ...(has(6) ? { float: pick([3.4e38, 1.1, -1.1, 0.3], i), half: pick([1.5, -2.25], i) } : {}),
    ...(has(7) ? { scaled: pick([1.25, -2.5, 0.01], i) } : {}),
    ...(has(4) ? { day: pick(['1960/02/29', '2024/02/29', '9999/12/31'], i), nanos: pick(instants, i) } : {}),
    ...(has(3) ? { flag: i % 8 === 1 ? [true, false] : i % 2 === 0 } : {}),
    ...(has(4) ? { address: pick(addresses, i) } : {}),
    ...(has(3)
      ? {
          place:
            i % 5 === 2
              ? [
                  [i, 1],
                  [-i, -40],
                ]
              : { lat: i - 20, lon: 3 * i },
        }
      : {}),
  } as WireObject
})
export const bareDocuments: readonly WireObject[] = [{ id: 'id 00b' }, { id: 'id 20b' }, { id: 'zz' }]

function pick<T>(values: readonly T[], i: number): T {
  return values[i % values.length] as T
}

export const fields = {
  id: fieldOf('id', 'KEYWORD'),
  word: fieldOf('word', 'KEYWORD'),
  long: fieldOf('long', 'LONG'),
  integer: fieldOf('integer', 'INTEGER'),
  short: fieldOf('short', 'SHORT'),
  byte: fieldOf('byte', 'BYTE'),
  double: fieldOf('double', 'DOUBLE'),
  float: fieldOf('float', 'FLOAT'),
  half: fieldOf('half', 'FLOAT'),
  scaled: fieldOf('scaled', 'DOUBLE'),
  day: fieldOf('day', 'DATE', 'yyyy/MM/dd'),
  nanos: fieldOf('nanos', 'DATE'),
  flag: fieldOf('flag', 'BOOLEAN'),
  address: fieldOf('address', 'IP'),
} as const
export type Name = keyof typeof fields

export const by = (name: Name, descending = false): SortKey => ({ kind: 'field', field: fields[name], descending })

/** Converts a value of the documents above to the type of its field. */
function typed(name: Name, value: WireJson): Scalar {
  if (name === 'address') return parseIp(String(value)) ?? ''
  if (name === 'day') return Date.parse(`${String(value).replaceAll('/', '-')}T00:00:00Z`)
  if (name === 'nanos') return Date.parse(String(value).replace(/(\.\d{3})\d+/, '$1'))
  if (name === 'float') return Math.fround(Number(value))
  if (fields[name].type === 'LONG') return BigInt(value as bigint)
  return value as Scalar
}

export function sortValue(source: WireObject, key: SortKey): Scalar | null {
  const name = key.field.path as Name
  const values = [source[name] ?? []].flat().map((value) => typed(name, value as WireJson))
  const [first, ...others] = values.sort(compare)
  return first === undefined ? null : ((key.descending ? others.at(-1) : undefined) ?? first)
}

function compare(a: Scalar, b: Scalar): number {
  if (typeof a === 'string' && typeof b === 'string') return compareCodePoints(a, b)
  return a < b ? -1 : a > b ? 1 : 0
}

export function sortPlainly(sources: readonly WireObject[], keys: readonly SortKey[]): readonly WireObject[] {
  return [...sources].sort((a, b) => {
    for (const key of keys) {
      const [x, y] = [sortValue(a, key), sortValue(b, key)]
      if (x === null || y === null) {
        if (x !== y) return x === null ? 1 : -1
      } else {
        const order = compare(x, y)
        if (order !== 0) return key.descending ? -order : order
      }
    }
    return 0
  })
}

export const all = [...documents, ...bareDocuments]
export const idsOf = (sources: readonly object[]): readonly unknown[] =>
  sources.map((source) => (source as WireObject).id)
