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
 * One aggregation as it was written: GET texts and bodies both become this, and one validator reads it. Known are its
 * type, that it has a field unless it is a datehistogram, and that no text is blank; nothing else is checked.
 */
export interface AggregationDraft {
  /** Place in the request, 1 being the main aggregation. */
  readonly position: number
  readonly type: AggregationType
  readonly field: string | undefined
  readonly interval: IntervalDraft | undefined
  readonly format: string | undefined
  /** The couples, halves that found no partner included. */
  readonly metrics: readonly Metric[]
  readonly order: string | undefined
  readonly on: string | undefined
  readonly size: string | number | undefined
  readonly include: string | undefined
  /** A text is what follows the prefix in GET. */
  readonly rawGeometries: string | readonly RawGeometry[] | undefined
  readonly aggregatedGeometries: string | readonly string[] | undefined
  readonly fetchHits: string | HitsFetcher | undefined
  /** An empty text: the name alone. */
  readonly fetchGeometry: string | GeometryFetcher | undefined
}

/** `written` is what messages show. */
export interface IntervalDraft {
  readonly value: string
  /** Empty: none. */
  readonly unit: string
  readonly written: unknown
}

/** Enumerated words are read in any case, with `-` for `_` (spec 1.3.5 of exploration). */
export const foldWord = (text: string): string => text.trim().toLowerCase().replaceAll('-', '_')

/** V2. */
export function readType(text: string | undefined, position: number): AggregationType {
  const word = foldWord(text ?? '')
  const type = aggregationTypes.find((known) => known === word)
  if (type !== undefined) return type
  throw aggregationFault(position, 'type', `must be one of ${aggregationTypes.join(', ')}`, text)
}

/** V3: the field, blanks around it dropped; only a datehistogram may leave it out. */
export function readFieldName(text: string | undefined, type: AggregationType, position: number): string | undefined {
  const name = text?.trim()
  if (name !== undefined && name !== '') return name
  if (type === 'datehistogram') return undefined
  throw aggregationFault(position, 'field', `must be given for type ${type}`, text)
}

/** The draft of an aggregation of a body. An empty list says nothing; a blank text is an empty part (V4). */
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
