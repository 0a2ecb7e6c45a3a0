import type { DateUnit, PrintedPattern } from './date-buckets.ts'
import type { Scalar } from './fields.ts'
import type { GeoFunction, NumberFunction } from './metrics.ts'

const aggregationTypes = ['datehistogram', 'histogram', 'term', 'geohash', 'geotile', 'geohex'] as const
type AggregationType = (typeof aggregationTypes)[number]
export type GridType = 'geohash' | 'geotile' | 'geohex'

export const isGrid = (type: AggregationType): type is GridType => type.startsWith('geo')

/** A metric with its field; geobbox and geocentroid may have none. */
export type Couple =
  | { readonly fct: NumberFunction; readonly field: string }
  | { readonly fct: GeoFunction; readonly field?: string }

export const isNumeric = (c: Couple): c is Extract<Couple, { readonly fct: NumberFunction }> => !c.fct.startsWith('geo')

export interface RawAsked {
  readonly geometry: string
  /** The text in the parentheses. */
  readonly sort?: string
}

/** One aggregation of a request, independent of its representation as text or JSON. */
export interface Asked {
  readonly type: AggregationType
  /** Absent: the timestamp, for datehistogram only. */
  readonly field?: string
  readonly interval?: { readonly value: number; readonly unit?: DateUnit }
  readonly format?: PrintedPattern
  readonly couples: readonly Couple[]
  readonly order?: { readonly direction: 'asc' | 'desc'; readonly on: 'field' | 'count' | 'result' }
  readonly size?: number
  readonly include?: { readonly text: string; readonly keeps: (term: Scalar) => boolean }
  readonly aggregated: readonly string[]
  readonly raw: readonly RawAsked[]
  readonly hits?: { readonly size?: number; readonly include: readonly string[] }
}

/** Returns the text of a GET `agg`; `turn` rotates the parts, whose order does not matter. */
export function writeText(asked: Asked, turn = 0): string {
  const { interval, order, raw, hits } = asked
  const parts = [
    ...(interval === undefined ? [] : [`interval-${interval.value}${interval.unit ?? ''}`]),
    ...(asked.format === undefined ? [] : [`format-${asked.format}`]),
    ...(asked.couples.length === 0 ? [] : [asked.couples.map(writeCouple).join(':')]),
    ...(order === undefined ? [] : [`order-${order.direction}`, `on-${order.on}`]),
    ...(asked.size === undefined ? [] : [`size-${asked.size}`]),
    ...(asked.include === undefined ? [] : [`include-${asked.include.text}`]),
    ...(asked.aggregated.length === 0 ? [] : [`aggregated_geometries-${asked.aggregated.join(',')}`]),
    ...(raw.length === 0 ? [] : [`raw_geometries-${raw.map(writeRaw).join(';')}`]),
    ...(hits === undefined ? [] : [`fetch_hits-${writeHits(hits)}`]),
  ]
  const at = parts.length === 0 ? 0 : turn % parts.length
  const turned = [...parts.slice(at), ...parts.slice(0, at)]
  return [asked.type, ...(asked.field === undefined ? [] : [asked.field]), ...turned].join(':')
}

const writeCouple = ({ fct, field }: Couple): string =>
  field === undefined ? `collect_fct-${fct}` : `collect_field-${field}:collect_fct-${fct}`
const writeRaw = ({ geometry, sort }: RawAsked): string => (sort === undefined ? geometry : `${geometry}(${sort})`)
const writeHits = ({ size, include }: NonNullable<Asked['hits']>): string =>
  `${size ?? (include.length === 0 ? 1 : '')}${include.length === 0 ? '' : `(${include.join(',')})`}`

/** Returns the aggregation of a body. */
export function writeBody(asked: Asked): unknown {
  return {
    type: asked.type,
    field: asked.field,
    interval: asked.interval,
    format: asked.format,
    metrics:
      asked.couples.length === 0
        ? undefined
        : asked.couples.map(({ fct, field }) => ({ collect_field: field, collect_fct: fct.toUpperCase() })),
    order: asked.order?.direction,
    on: asked.order?.on,
    size: asked.size === undefined ? undefined : String(asked.size),
    include: asked.include?.text,
    aggregated_geometries: asked.aggregated.length === 0 ? undefined : asked.aggregated,
    raw_geometries: asked.raw.length === 0 ? undefined : asked.raw,
    fetch_hits: asked.hits === undefined ? undefined : writeFetch(asked.hits),
  }
}

const writeFetch = ({ size, include }: NonNullable<Asked['hits']>): unknown => ({
  size,
  include: include.length === 0 ? undefined : include,
})
