import type {
  Aggregation,
  GeometryFetcher,
  HitsFetcher,
  Interval,
  Metric,
  RawGeometry,
} from '../../model/aggregation.ts'
import { aggregationFault } from './aggregation-fault.ts'
import { type AggregationType, aggregationTypes } from './resolved-aggregation.ts'

/**
 * One aggregation before validation; GET strings and bodies are both converted to it. Only the following is checked:
 * the type is known, a field is given unless it is a datehistogram, and no string is blank.
 */
export interface AggregationDraft {
  /** Position in the request; 1 is the main aggregation. */
  readonly position: number
  readonly type: AggregationType
  readonly field: string | undefined
  readonly interval: IntervalDraft | undefined
  readonly format: string | undefined
  /** Pairs of field and function, including those where one is missing. */
  readonly metrics: readonly Metric[]
  readonly order: string | undefined
  readonly on: string | undefined
  readonly size: string | number | undefined
  readonly include: string | undefined
  /** A string is the text after the prefix in GET. */
  readonly rawGeometries: string | readonly RawGeometry[] | undefined
  readonly aggregatedGeometries: string | readonly string[] | undefined
  readonly fetchHits: string | HitsFetcher | undefined
  /** Empty string: given without a value. */
  readonly fetchGeometry: string | GeometryFetcher | undefined
}

/** `written` is shown in messages. */
export interface IntervalDraft {
  readonly value: string
  /** Empty: no unit. */
  readonly unit: string
  readonly written: unknown
}

/** Enumerated words are case-insensitive, with `-` equal to `_` (spec 1.3.5 of exploration). */
export const foldWord = (text: string): string => text.trim().toLowerCase().replaceAll('-', '_')

/** Rule V2. */
export function readType(text: string | undefined, position: number): AggregationType {
  const word = foldWord(text ?? '')
  const type = aggregationTypes.find((known) => known === word)
  if (type !== undefined) return type
  throw aggregationFault(position, 'type', `must be one of ${aggregationTypes.join(', ')}`, text)
}

/** Rule V3: the trimmed field name; only a datehistogram may omit it. */
export function readFieldName(text: string | undefined, type: AggregationType, position: number): string | undefined {
  const name = text?.trim()
  if (name !== undefined && name !== '') return name
  if (type === 'datehistogram') return undefined
  throw aggregationFault(position, 'field', `must be given for type ${type}`, text)
}

/** Converts an aggregation of a body. An empty list counts as absent; a blank string is an empty part (V4). */
export function draftOfBody(body: Aggregation, position: number): AggregationDraft {
  const type = readType(body.type, position)
  const field = readFieldName(body.field, type, position)
  const text = (part: string, value: string | undefined): string | undefined => {
    if (value === undefined || value.trim() !== '') return value?.trim()
    throw aggregationFault(position, part, 'must not be empty', value)
  }
  return {
    position,
    type,
    field,
    interval: body.interval && intervalOfBody(body.interval),
    format: text('format', body.format),
    metrics: (body.metrics ?? []).map((metric): Metric => {
      const name = text('collect_field', metric.collect_field)
      const fct = text('collect_fct', metric.collect_fct)
      return {
        ...(name === undefined ? {} : { collect_field: name }),
        ...(fct === undefined ? {} : { collect_fct: fct }),
      }
    }),
    order: text('order', body.order),
    on: text('on', body.on),
    size: typeof body.size === 'string' ? text('size', body.size) : body.size,
    include: text('include', body.include),
    rawGeometries: present(body.raw_geometries),
    aggregatedGeometries: present(body.aggregated_geometries),
    fetchHits: body.fetch_hits,
    fetchGeometry: body.fetch_geometry,
  }
}

function intervalOfBody(interval: Interval): IntervalDraft | undefined {
  const { value, unit = '' } = interval
  if (value === undefined && unit.trim() === '') return undefined
  return { value: value === undefined ? '' : String(value), unit: unit.trim(), written: interval }
}

const present = <T>(list: readonly T[] | undefined): readonly T[] | undefined => (list?.length ? list : undefined)
