import type { Json, JsonObject } from '../model/json/document.ts'
import { dateShapesOf } from './date-shapes.ts'
import { namesPoint } from './field-names.ts'

/** Statistics of one field in a sample: number of values of each kind, and properties of its strings. */
export interface Observed {
  values: number
  booleans: number
  integers: number
  fractions: number
  smallest: number
  largest: number
  texts: number
  longestText: number
  textWords: number
  /** Distinct strings, up to a maximum. */
  readonly distinctTexts: Set<string>
  readonly dateShapes: Set<bigint>
  /** Values that are clearly points or other geometries (points also by field name). */
  points: number
  shapes: number
  /** Strings that are points only if the field name says so: `48.8,2.3`, or a geohash. */
  pointTexts: number
  objects: number
  readonly members: Map<string, Observed>
}

const MOST_DISTINCT = 200
const DEEPEST = 20

export function observeNothing(): Observed {
  return {
    values: 0,
    booleans: 0,
    integers: 0,
    fractions: 0,
    smallest: Number.POSITIVE_INFINITY,
    largest: Number.NEGATIVE_INFINITY,
    texts: 0,
    longestText: 0,
    textWords: 0,
    distinctTexts: new Set(),
    dateShapes: new Set(),
    points: 0,
    shapes: 0,
    pointTexts: 0,
    objects: 0,
    members: new Map(),
  }
}

/** Number of fields that may still be added. */
interface FieldBudget {
  left: number
}

/** Adds the members of one object; a key with dots is a path (spec 2.1.1). */
export function observeMembers(into: Observed, object: JsonObject, budget: FieldBudget, depth = 0): void {
  for (const [key, value] of Object.entries(object)) {
    const path = key.split('.')
    if (path.includes('')) continue
    if (value === null || depth + path.length > DEEPEST) continue
    let holder: Observed | undefined = into
    for (const name of path.slice(0, -1)) {
      holder = holder && member(holder, name, budget)
      if (holder === undefined) break
      holder.values += 1
      holder.objects += 1
    }
    const name = path.at(-1) ?? key
    const field = holder && member(holder, name, budget)
    if (field !== undefined) observe(field, name, value, budget, depth + path.length)
  }
}

/** Undefined if the field budget is used up. */
function member(of: Observed, name: string, budget: FieldBudget): Observed | undefined {
  const known = of.members.get(name)
  if (known !== undefined) return known
  if (budget.left === 0) return undefined
  budget.left -= 1
  const added = observeNothing()
  of.members.set(name, added)
  return added
}

function observe(into: Observed, name: string, value: Json, budget: FieldBudget, depth: number): void {
  if (value === null) return
  if (isArray(value)) {
    if (namesPoint(name) && isPosition(value)) {
      into.values += 1
      into.points += 1
    } else {
      for (const element of value) observe(into, name, element, budget, depth)
    }
    return
  }
  into.values += 1
  if (typeof value === 'boolean') into.booleans += 1
  else if (typeof value === 'number') observeNumber(into, value)
  else if (typeof value === 'string') observeText(into, name, value)
  else observeObject(into, value, budget, depth)
}

function observeNumber(into: Observed, value: number): void {
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 63) into.integers += 1
  else into.fractions += 1
  into.smallest = Math.min(into.smallest, value)
  into.largest = Math.max(into.largest, value)
}

const WKT =
  /^\s*(POINT|LINESTRING|POLYGON|MULTIPOINT|MULTILINESTRING|MULTIPOLYGON|GEOMETRYCOLLECTION)\s*(?:Z|M|ZM)?\s*\(/i
const LAT_LON = /^\s*[+-]?\d{1,2}(?:\.\d*)?\s*,\s*[+-]?\d{1,3}(?:\.\d*)?\s*$/
const GEOHASH = /^(?=.*\d)[0-9b-hjkmnp-z]{5,12}$/

function observeText(into: Observed, name: string, text: string): void {
  const wkt = WKT.exec(text)?.[1]?.toUpperCase()
  if (wkt !== undefined) {
    if (wkt === 'POINT') into.points += 1
    else into.shapes += 1
    return
  }
  into.texts += 1
  if (namesPoint(name) && (LAT_LON.test(text) || GEOHASH.test(text))) into.pointTexts += 1
  into.longestText = Math.max(into.longestText, text.length)
  into.textWords += text.length > 5_000 ? 1_000 : countWords(text)
  if (into.distinctTexts.size <= MOST_DISTINCT) into.distinctTexts.add(text)
  into.dateShapes.add(dateShapesOf(text))
}

function countWords(text: string): number {
  return text.match(/\S+/g)?.length ?? 0
}

const SHAPE_TYPES = new Set(['MultiPoint', 'LineString', 'MultiLineString', 'Polygon', 'MultiPolygon'])

function observeObject(into: Observed, value: JsonObject, budget: FieldBudget, depth: number): void {
  const { type, coordinates, geometries } = value
  if (typeof type === 'string' && coordinates !== undefined && isArray(coordinates)) {
    if (type === 'Point') {
      into.points += 1
      return
    }
    if (SHAPE_TYPES.has(type)) {
      into.shapes += 1
      return
    }
  }
  if (type === 'GeometryCollection' && geometries !== undefined && isArray(geometries)) {
    into.shapes += 1
    return
  }
  if (isLatLon(value)) {
    into.points += 1
    return
  }
  into.objects += 1
  observeMembers(into, value, budget, depth)
}

function isLatLon(value: JsonObject): boolean {
  const { lat, lon } = value
  return Object.keys(value).length === 2 && isNumeric(lat) && isNumeric(lon)
}

function isNumeric(value: Json | undefined): boolean {
  return typeof value === 'number' || (typeof value === 'string' && value !== '' && Number.isFinite(Number(value)))
}

function isPosition(value: readonly Json[]): boolean {
  const [lon, lat] = value
  if (value.length < 2 || value.length > 3 || !value.every((v) => typeof v === 'number')) return false
  return typeof lon === 'number' && typeof lat === 'number' && Math.abs(lon) <= 360 && Math.abs(lat) <= 90
}

function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}
