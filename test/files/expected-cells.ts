import { parseWkt } from '../../src/geo/wkt.ts'
import type { Geometry } from '../../src/model/geometry.ts'
import { parseExactly, type ReadFeature } from './gdal.ts'

/** A feature of a `_geosearch` without flat. */
export interface Feature {
  readonly geometry: Geometry
  readonly properties: Readonly<Record<string, unknown>>
}

/** A leaf field of a mapping. */
export interface Leaf {
  readonly path: string
  readonly type: string
  readonly format?: string
}

interface Mapping {
  readonly properties?: Readonly<Record<string, Mapping>>
  readonly type?: string
  readonly format?: string
  readonly enabled?: boolean
}

/** Returns the fields of a mapping that become columns, by column name. */
export function leavesOf(mapping: Mapping, prefix = ''): readonly Leaf[] {
  return Object.entries(mapping.properties ?? {}).flatMap(([name, { type, format, ...rest }]) => {
    if (rest.properties !== undefined) return leavesOf(rest, `${prefix}${name}.`)
    const leaf = { path: prefix + name, type: type ?? 'object' }
    return leaf.type === 'object' ? [] : [format === undefined ? leaf : { ...leaf, format }]
  })
}

export const shapesOf = (mapping: Mapping): readonly string[] =>
  leavesOf(mapping)
    .filter(({ type }) => type === 'geo_shape')
    .map(({ path }) => path)

/** Returns the values of a document at a path. Arrays are traversed, nulls are skipped. */
export function valuesUnder(value: unknown, path: readonly string[]): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap((member) => valuesUnder(member, path))
  if (value === null || value === undefined) return []
  const [key, ...rest] = path
  if (key === undefined) return [value]
  return typeof value === 'object' ? valuesUnder(Reflect.get(value, key), rest) : []
}

/** Comparable forms of the cells of a row: exact integers, milliseconds, strings. */
type Cells = Readonly<Record<string, unknown>>

/** Columns of strings: columns with several values in a document, and columns of string types. */
function textColumns(leaves: readonly Leaf[], features: readonly Feature[]): ReadonlySet<string> {
  const texts = leaves.filter(
    (leaf) => !(leaf.type in typed) || features.some((feature) => cellOf(leaf, feature).length > 1),
  )
  return new Set(texts.map(({ path }) => path))
}

/** Returns the expected content of a table with typed columns. */
export function typedCells(leaves: readonly Leaf[], features: readonly Feature[]): readonly Cells[] {
  const texts = textColumns(leaves, features)
  return features.map((feature) =>
    Object.fromEntries(
      leaves.map((leaf) => {
        const cell = cellOf(leaf, feature)
        if (cell.length === 0) return [leaf.path, null]
        return [leaf.path, texts.has(leaf.path) ? comparableText(textOf(cell)) : typedValue(leaf, cell[0])]
      }),
    ),
  )
}

/** Returns the content read from such a table, in the same form. */
export function readTypedCells(
  leaves: readonly Leaf[],
  features: readonly Feature[],
  read: readonly ReadFeature[],
): readonly Cells[] {
  const texts = textColumns(leaves, features)
  return read.map(({ properties }) =>
    Object.fromEntries(
      leaves.map((leaf) => {
        const value = properties[leaf.path]
        if (value === null || value === undefined) return [leaf.path, null]
        return [leaf.path, texts.has(leaf.path) ? comparableText(value) : typedValue(leaf, value)]
      }),
    ),
  )
}

/** Returns the expected content of a table without types. */
export function textCells(leaves: readonly Leaf[], features: readonly Feature[]): readonly Cells[] {
  return features.map((feature) =>
    Object.fromEntries(leaves.map((leaf) => [leaf.path, comparableLines(textOf(cellOf(leaf, feature)))])),
  )
}

/** GDAL converts all line breaks in quoted cells to line feeds. */
const comparableLines = (text: unknown): unknown =>
  comparableText(typeof text === 'string' ? text.replace(/\r\n?/g, '\n') : text)

export const readTextCells = (leaves: readonly Leaf[], read: readonly ReadFeature[]): readonly Cells[] =>
  read.map(({ properties }) =>
    Object.fromEntries(leaves.map(({ path }) => [path, comparableLines(properties[path] ?? '')])),
  )

function cellOf({ path, type }: Leaf, { properties }: Feature): readonly unknown[] {
  const keys = path.split('.')
  if (type !== 'geo_point' && type !== 'geo_shape') return valuesUnder(properties, keys)
  const place = keys.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), properties)
  return placesIn(place)
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** Converts every representation of a location to WKT. */
function placesIn(value: unknown): readonly string[] {
  if (typeof value === 'string') {
    const [lat, lon] = value.split(',').map(Number)
    return /^[A-Z]/.test(value) ? [wktOf(parseWkt(value, { lenient: true }))] : [`POINT (${lon} ${lat})`]
  }
  if (Array.isArray(value)) {
    return typeof value[0] === 'number' ? [`POINT (${value[0]} ${value[1]})`] : value.flatMap(placesIn)
  }
  if (!isObject(value)) return []
  return 'lat' in value ? [`POINT (${value.lon} ${value.lat})`] : [wktOf(value as unknown as Geometry)]
}

const positions = (list: readonly (readonly number[])[]): string => `(${list.map((p) => p.join(' ')).join(', ')})`

function wktOf(geometry: Geometry): string {
  switch (geometry.type) {
    case 'Point':
      return `POINT ${positions([geometry.coordinates])}`
    case 'LineString':
      return `LINESTRING ${positions(geometry.coordinates)}`
    case 'Polygon':
      return `POLYGON (${geometry.coordinates.map(positions).join(', ')})`
    default:
      throw new Error(`${geometry.type} is not supported outside the geometry of the collection`)
  }
}

function textOf(values: readonly unknown[]): string {
  if (values.length === 0) return ''
  return values.length > 1 ? JSON.stringify(values) : String(values[0])
}

/** GDAL parses texts that are JSON arrays or objects when it writes GeoJSON. */
function comparableText(text: unknown): unknown {
  if (typeof text !== 'string' || !/^[[{].*[\]}]$/s.test(text)) return text
  try {
    return parseExactly(text)
  } catch {
    return text
  }
}

const typed: Readonly<Record<string, (value: unknown, leaf: Leaf) => unknown>> = {
  boolean: (value) => value === true || value === 'true',
  byte: integerOf,
  short: integerOf,
  integer: integerOf,
  long: integerOf,
  float: (value) => Math.fround(Number(value)),
  double: comparableNumber,
  date: (value, { format }) => millisecondsOf(value, format),
}

/** GDAL prints 0.30000000000000004 as 0.3. */
export function comparableNumber(value: unknown): number {
  return Number(Number(value).toPrecision(15))
}

const typedValue = (leaf: Leaf, value: unknown): unknown => typed[leaf.type]?.(value, leaf)

function integerOf(value: unknown): bigint {
  // The largest long is read as the next larger double.
  return value === 2 ** 63 ? 2n ** 63n - 1n : BigInt(String(typeof value === 'number' ? BigInt(value) : value))
}

function millisecondsOf(value: unknown, format: string | undefined): number {
  if (value instanceof Date) return value.getTime()
  if (typeof value === 'number') return value
  const [, day, month, year] = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(String(value)) ?? []
  return format === 'dd/MM/yyyy' && day !== undefined
    ? Date.UTC(Number(year), Number(month) - 1, Number(day))
    : Date.parse(String(value))
}
