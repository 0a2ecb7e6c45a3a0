import type { Hit, Hits } from '../api/answers.ts'
import { type CollectionField, isGeo, isNumber, valueAt } from '../api/collection-fields.ts'
import { explorePath } from '../api/explore-path.ts'
import { formatValue } from '../format/values.ts'
import type { Explored } from './explored.ts'

const SAMPLE = '60'
const MOST_FIELDS = 60

/** What some documents say about a field. Shares are between 0 and 1. */
export interface FieldFacts {
  /** Share of the documents that have a value. */
  readonly filled: number
  /** Share of the values that are different. */
  readonly distinct: number
  /** Share of the most frequent value. */
  readonly commonest: number
  /** Mean number of characters. */
  readonly length: number
  readonly isIdentifier: boolean
  readonly isCoordinate: boolean
  readonly isLink: boolean
}

export type FactsByPath = ReadonlyMap<string, FieldFacts>

/** Plans one request for some documents, from which the first look of the page is chosen. */
export function samplePath({ collection, fields }: Explored): string {
  const paths = fields.filter((field) => !isGeo(field)).map(({ path }) => path)
  return explorePath(collection, '_search', [
    ['size', SAMPLE],
    ['include', paths.slice(0, MOST_FIELDS).join(',')],
  ])
}

export const factsOf = ({ fields, paths }: Explored, found: Hits): FactsByPath =>
  new Map(fields.filter((field) => !isGeo(field)).map((field) => [field.path, fieldFacts(field, found, paths.id)]))

/** True if no document has a time. */
export const isTimeless = ({ hits }: Hits): boolean => hits.every(({ md }) => md.timestamp === undefined)

/** Values that a share of different ones says something about. */
const ENOUGH = 12

/** `totalnb`: documents that `hits` are a sample of. */
export function fieldFacts(
  field: CollectionField,
  { hits, totalnb }: Pick<Hits, 'hits' | 'totalnb'>,
  idPath: string,
): FieldFacts {
  const values = hits
    .map(({ data }) => valueAt(data, field.path))
    .filter((value) => value !== undefined && value !== null)
  const texts = values.map((value) => formatValue(value, field))
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  const share = (count: number, of: number): number => (of === 0 ? 0 : count / of)
  const distinct = share(counts.size, texts.length)
  return {
    filled: share(values.length, hits.length),
    distinct,
    commonest: share(Math.max(0, ...counts.values()), texts.length),
    length: share(
      texts.reduce((sum, { length }) => sum + length, 0),
      texts.length,
    ),
    isIdentifier: field.path === idPath || isIdentifierName(field.path) || isNumbering(values, distinct, totalnb),
    isCoordinate: isNumber(field) && (isCoordinateName(field.path) || isCentroid(field.path, hits)),
    isLink: texts.length > 0 && texts.every((text) => /^(https?:\/\/|www\.|data:)/.test(text)),
  }
}

const IDENTIFIERS = /(^|[._\s-])(id|ids|uid|gid|fid|oid|uuid|guid|objectid|osmid|mmsi|imo)$/
const COORDINATES = /(^|[._\s-])(lat|lats|latitude|lon|long|lng|longitude|northing|easting|coord[xy]|x|y)$/

/** Separates the words of names like `stationId`. */
const wordsOf = (path: string): string => path.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase()

const isIdentifierName = (path: string): boolean => IDENTIFIERS.test(wordsOf(path))
const isCoordinateName = (path: string): boolean => COORDINATES.test(wordsOf(path))

/** True for whole numbers that number the documents, and for texts like those of UUIDs. */
function isNumbering(values: readonly unknown[], distinct: number, total: number): boolean {
  if (values.length < ENOUGH || distinct < 0.98) return false
  if (values.every((value) => Number.isInteger(value))) {
    const numbers = values.map(Number)
    return Math.max(...numbers) - Math.min(...numbers) < 2 * total
  }
  return values.every((value) => typeof value === 'string' && /^(?=.*\d)[\w{}:-]{16,}$/.test(value))
}

/** True if the values are a coordinate of the centroids. */
function isCentroid(path: string, hits: readonly Hit[]): boolean {
  const pairs = hits.flatMap(({ md, data }) => {
    const value = valueAt(data, path)
    const place = md.centroid?.type === 'Point' ? md.centroid.coordinates : undefined
    return typeof value === 'number' && place !== undefined ? [{ value, place }] : []
  })
  const equals = (axis: 0 | 1): boolean =>
    pairs.every(({ value, place }) => Math.abs(value - (place[axis] ?? Number.NaN)) < 1e-4)
  return pairs.length >= ENOUGH && (equals(0) || equals(1))
}
