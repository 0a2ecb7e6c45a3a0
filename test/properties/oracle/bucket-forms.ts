import { bare, type ExpectedBucket, type ExpectedLevel, type ExpectedMetric } from './aggregate.ts'
import { isNear, numberOf, numerals } from './matchers.ts'

type Entries = readonly (readonly [string, unknown])[]

/** Paths omitted from the hits of each level, outermost level first. */
type LeftOut = readonly (readonly string[])[]

/** Flattens a bucket (spec 3.2). If keys collide, the first one is kept. */
function flatMapOf(bucket: ExpectedBucket, leftOut: LeftOut = []): Readonly<Record<string, unknown>> {
  const out: Record<string, unknown> = {}
  for (const [key, value] of entriesOf(bucket, leftOut)) out[key] ??= value
  return out
}

function entriesOf(bucket: ExpectedBucket, [own = [], ...inner]: LeftOut): Entries {
  const { count, key, key_as_string: text, metrics = [], hits = [], elements } = bucket
  return [
    ['count', count],
    ['key', flatKey(key)],
    ...(text === undefined ? [] : ([['key_as_string', text]] as const)),
    ...metrics.flatMap(metricEntry),
    ...hits.flatMap((hit, i) => leaves(bare(hit), `hits_${i}`).filter(([k]) => !isBelow(k, `hits_${i}`, own))),
    ...(elements === undefined ? [] : childEntries(elements[0], inner)),
  ]
}

const isBelow = (key: string, hit: string, paths: readonly string[]): boolean =>
  paths.some((p) => key === `${hit}_${p}` || key.startsWith(`${hit}_${p}_`))

function childEntries({ name, sumotherdoccounts, elements }: ExpectedLevel, leftOut: LeftOut): Entries {
  return [
    ['0_name', name],
    ...(sumotherdoccounts === undefined ? [] : ([['0_sumotherdoccounts', sumotherdoccounts]] as const)),
    ...elements.flatMap((b, i) => Object.entries(flatMapOf(b, leftOut)).map(([k, v]) => [`0_${i}_${k}`, v] as const)),
  ]
}

function flatKey(key: unknown): unknown {
  if (typeof key === 'string') return key
  if (typeof key === 'object' && key !== null && 'lat' in key && 'lon' in key) {
    return numerals([numberOf(key.lat), numberOf(key.lon)], 1e-6)
  }
  return numerals([numberOf(key)], isNear(key) ? key.within : 0)
}

function metricEntry({ type, field, value }: ExpectedMetric): Entries {
  if (value === undefined) return []
  return [[`${field}_${type}_`, typeof value === 'number' || isNear(value) ? value : geoText(type, value)]]
}

/** Returns `west,south,east,north` of a box, `lat,lon` of a point. */
function geoText(type: string, value: unknown): unknown {
  const { features } = value as { readonly features: readonly [{ readonly geometry: unknown }] }
  const { coordinates } = features[0].geometry as { readonly coordinates: readonly unknown[] }
  if (type === 'geocentroid') {
    const [lon, lat] = coordinates
    return numerals([numberOf(lat), numberOf(lon)], 1e-6)
  }
  const [ring] = coordinates as readonly [readonly (readonly [unknown, unknown])[]]
  const [southWest, , northEast] = ring
  return numerals([...(southWest ?? []), ...(northEast ?? [])].map(numberOf), 1e-6)
}

/** Flattens a JSON value to scalars with joined keys. */
function leaves(value: unknown, under: string): Entries {
  if (value === null || value === undefined) return []
  if (typeof value !== 'object') return [[under, value]]
  return Object.entries(value).flatMap(([k, v]) => leaves(v, `${under}_${k}`))
}

/** With flat, moves nested members to one map and keeps the others. */
export function flatLevel<L extends ExpectedLevel>(level: L): unknown {
  return {
    ...level,
    elements: level.elements.map(({ elements, metrics, ...rest }) => ({
      ...rest,
      flattened_elements: flatMapOf({ ...rest, ...(elements && { elements }), ...(metrics && { metrics }) }),
    })),
  }
}

interface FeatureForm {
  readonly flat: boolean
  /** The path parameter of a tile operation. */
  readonly parent?: string
  /** Paths of the raw geometries of each aggregation, which its hits do not repeat. */
  readonly rawPaths?: readonly (readonly string[])[]
}

const GRIDS: Readonly<Record<string, readonly [string, string]>> = {
  GeohashGrid: ['geohash', 'parent_geohash'],
  GeotileGrid: ['tile', 'parent_tile'],
  GeohexGrid: ['geohex', 'parent_cell'],
}

/** Converts the buckets of `_aggregate` to the features of `_geoaggregate` (spec 4.1). */
export function featuresOf(level: ExpectedLevel, { flat, parent, rawPaths = [] }: FeatureForm): unknown {
  const grid = GRIDS[level.name]
  const features = level.elements.flatMap((bucket) =>
    (bucket.geometries ?? []).map(({ reference, geometry, is_raw, sort }) => {
      const { count, key, key_as_string: text, metrics, elements, hits } = bucket
      const properties = {
        ...(flat ? flatMapOf(bucket, rawPaths) : { metrics, elements, hits }),
        count,
        ...(grid === undefined ? (flat ? {} : { key: text ?? key }) : { [grid[0]]: text }),
        feature_type: 'aggregation',
        geometry_ref: reference,
        geometry_type: is_raw ? 'raw' : 'aggregated',
        ...(is_raw ? { geometry_sort: sort } : {}),
        ...(grid === undefined || parent === undefined ? {} : { [grid[1]]: parent }),
      }
      return { type: 'Feature', geometry, properties }
    }),
  )
  return { type: 'FeatureCollection', features }
}
