import { prepareArea } from '../../geo/area/prepared-area.ts'
import { pointValues, shapeValues } from '../../geo/shape/document-geometry.ts'
import { normaliseShape, type Shape, shapeOfAll } from '../../geo/shape/shape.ts'
import { pointShape, shapeRelation } from '../../geo/shape/shape-relation.ts'
import type { Json, JsonObject } from '../../model/json/document.ts'
import { patternMatcher } from '../pattern/keyword-pattern-matcher.ts'
import type {
  Bound,
  CompareOperator,
  ComparePredicate,
  EqualsPredicate,
  GeoPredicate,
  Predicate,
  RangePredicate,
  RelatePredicate,
  Scalar,
} from '../plan/predicate.ts'
import { placesAt } from '../schema/document-path.ts'
import type { FieldReading, IndexFields } from '../schema/index-fields.ts'
import { isWithinEdits } from '../text/edit-distance.ts'
import { tokenize } from '../text/text-analysis.ts'
import { compareCodePoints } from '../value/code-point-order.ts'
import { readStoredValues, valuesAt } from '../value/stored-value.ts'
import { holdsPhrase } from './phrase.ts'

/** Evaluates a predicate on documents without the engine; both must agree on every document. */
export interface Evaluator {
  /** False if the engine indexes a field in a special way, so `holds` is only an approximation. */
  readonly exact: boolean
  /** `source`: the document; integers beyond 2^53 may be strings of digits. */
  readonly holds: (source: JsonObject) => boolean
}

type Test = (source: JsonObject) => boolean

/** Compiles a predicate for the documents of one index. */
export function compileEvaluator(predicate: Predicate, fields: IndexFields): Evaluator {
  let exact = true
  const compile = (p: Predicate): Test => {
    switch (p.kind) {
      case 'everything':
        return () => true
      case 'nothing':
        return () => false
      case 'and': {
        const members = p.members.map(compile)
        return (source) => members.every((test) => test(source))
      }
      case 'or': {
        const members = p.members.map(compile)
        return (source) => members.some((test) => test(source))
      }
      case 'not': {
        const test = compile(p.member)
        return (source) => !test(source)
      }
      default: {
        const reading = fields.reading(p.field)
        if (reading === undefined) return () => false
        if (!reading.exact) exact = false
        if (p.kind !== 'compare') return compileLeaf(p, reading)
        const other = fields.reading(p.other)
        if (other === undefined) return () => false
        if (!other.exact) exact = false
        return compileComparison(p, reading, other)
      }
    }
  }
  const holds = compile(predicate)
  return { exact, holds }
}

type LeafPredicate = Exclude<Extract<Predicate, { field: unknown }>, ComparePredicate>

function compileLeaf(p: LeafPredicate, reading: FieldReading): Test {
  switch (p.kind) {
    case 'exists':
      return compileExists(reading)
    case 'equals':
      return anyValue(reading, equalsAny(p, reading))
    case 'range':
      return anyValue(reading, inRange(p, reading))
    case 'pattern': {
      const matches = patternMatcher(p.pattern)
      return anyValue(reading, (value) => matches(String(value)))
    }
    case 'prefix':
      return anyValue(reading, (value) => String(value).startsWith(p.prefix))
    case 'fuzzy': {
      const isNear = (word: string): boolean => isWithinEdits(word, p.word, p.edits)
      if (reading.field.type !== 'TEXT') return anyValue(reading, (value) => isNear(String(value)))
      return anyText(reading, (tokens) => tokens.some(isNear))
    }
    case 'phrase':
      return anyText(reading, (tokens) => holdsPhrase(tokens, p))
    case 'geo':
      return compileGeo(p, reading)
    case 'relates':
      return compileRelation(p, reading)
    case 'cell':
      throw new Error('cells cannot be part of a filter')
  }
}

function anyValue({ field, paths }: FieldReading, test: (value: Scalar) => boolean): Test {
  return (source) =>
    paths.some((path) => valuesAt(source, path).some((value) => readStoredValues(field, value).some(test)))
}

function compileComparison({ op }: ComparePredicate, reading: FieldReading, other: FieldReading): Test {
  return (source) => {
    const values = valuesOf(reading, source)
    return valuesOf(other, source).some((b) => values.some((a) => compareBy(op, a, b)))
  }
}

function valuesOf({ field, paths }: FieldReading, source: JsonObject): readonly Scalar[] {
  return paths.flatMap((path) => valuesAt(source, path).flatMap((value) => readStoredValues(field, value)))
}

function compareBy(op: CompareOperator, a: Scalar, b: Scalar): boolean {
  const isText = typeof a === 'string' && typeof b === 'string'
  const order = isText ? compareCodePoints(a, b) : a < b ? -1 : a > b ? 1 : 0
  switch (op) {
    case '=':
      return order === 0
    case '<>':
      return order !== 0
    case '<':
      return order < 0
    case '>':
      return order > 0
    case '<=':
      return order <= 0
    case '>=':
      return order >= 0
  }
}

function anyText({ paths }: FieldReading, test: (tokens: readonly string[]) => boolean): Test {
  return (source) =>
    paths.some((path) => valuesAt(source, path).some((value) => isScalar(value) && test(tokenize(String(value)))))
}

const isScalar = (value: Json): boolean => typeof value !== 'object'

function compileExists(reading: FieldReading): Test {
  switch (reading.field.type) {
    case 'GEO_POINT':
      return (source) => points(reading, source).length > 0
    case 'GEO_SHAPE':
      return (source) => shapeOf(reading, source) !== undefined
    default:
      return anyValue(reading, () => true)
  }
}

/** Values of a FLOAT field are compared in single precision, as stored. */
const stored = ({ field }: FieldReading, value: Scalar): Scalar =>
  field.type === 'FLOAT' && typeof value === 'number' ? Math.fround(value) : value

function equalsAny({ values }: EqualsPredicate, reading: FieldReading): (value: Scalar) => boolean {
  const wanted = new Set(values.map((value) => stored(reading, value)))
  return (value) => wanted.has(value)
}

function inRange({ lower, upper }: RangePredicate, reading: FieldReading): (value: Scalar) => boolean {
  const low = lower === undefined ? undefined : compareWith(lower, reading)
  const high = upper === undefined ? undefined : compareWith(upper, reading)
  return (value) => {
    if (low !== undefined && !(lower?.inclusive ? low(value) >= 0 : low(value) > 0)) return false
    return high === undefined || (upper?.inclusive ? high(value) <= 0 : high(value) < 0)
  }
}

/** The returned function is negative if the value is below the bound. */
function compareWith(bound: Bound, reading: FieldReading): (value: Scalar) => number {
  const limit = stored(reading, bound.value)
  return (value) => {
    if (typeof value === 'string') return compareCodePoints(value, String(limit))
    return value < limit ? -1 : value > limit ? 1 : 0
  }
}

function compileGeo(p: GeoPredicate, reading: FieldReading): Test {
  const area = prepareArea(p.area)
  if (reading.field.type === 'GEO_POINT') {
    return (source) =>
      points(reading, source).some(([lon = Number.NaN, lat = Number.NaN]) => area.coversPoint(lon, lat))
  }
  const test = p.relation === 'within' ? area.coversShape : area.intersectsShape
  return (source) => {
    const shape = shapeOf(reading, source)
    return shape !== undefined && test(shape)
  }
}

function compileRelation({ relation, area }: RelatePredicate, reading: FieldReading): Test {
  const holds = shapeRelation(relation, area)
  if (reading.field.type === 'GEO_POINT') {
    return (source) =>
      points(reading, source).some(([lon = Number.NaN, lat = Number.NaN]) => holds(pointShape(lon, lat)))
  }
  return (source) => {
    const shape = shapeOf(reading, source)
    return shape !== undefined && holds(shape)
  }
}

const points = ({ paths }: FieldReading, source: JsonObject) =>
  paths.flatMap((path) => placesAt(source, path).flatMap(pointValues))

function shapeOf({ paths }: FieldReading, source: JsonObject): Shape | undefined {
  const shapes = paths
    .flatMap((path) => placesAt(source, path).flatMap(shapeValues))
    .flatMap((geometry) => normaliseShape(geometry) ?? [])
  return shapes.length === 0 ? undefined : shapeOfAll(shapes)
}
