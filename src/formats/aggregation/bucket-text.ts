import type { Bucket } from '../../engine/engine.ts'
import type { BucketKey } from '../../query/aggregation/bucket.ts'
import type { ResolvedAggregated, ResolvedAggregation } from '../../query/aggregation/resolved-aggregation.ts'
import type { GridGrouping, Grouping } from '../../query/plan/aggregation-plan.ts'
import type { CollectionView } from '../../query/schema/collection-view.ts'
import { aggregatedGeometry, rawGeometry } from './aggregation-geometries.ts'
import { hitsWriter } from './aggregation-hits.ts'
import { keyWriter } from './aggregation-key.ts'
import { writeValue } from './aggregation-metrics.ts'
import { cellPrinter } from './cell-text.ts'

/** Prints the parts of the buckets of a level, as `JSON.stringify` prints what `writeAggregation` returns. */
export interface BucketPrinter {
  /** `"key":…` and, if there is one, `"key_as_string":…`. */
  readonly key: (key: BucketKey) => string
  /** `key_as_string`, or the key if there is none. */
  readonly name: (key: BucketKey) => string
  /** `"metrics":[…]`. Absent if none were requested, as are those below. */
  readonly metrics?: TextOf
  /** `"hits":[…]`. */
  readonly hits?: TextOf
  readonly geometries: readonly GeometryPrinter[]
  /** The geometry of fetch_geometry, perhaps `null`. */
  readonly fetched?: TextOf
}

type TextOf = (bucket: Bucket) => string

export interface GeometryPrinter {
  readonly reference: string
  /** Of raw geometries. */
  readonly sort?: string
  /** Undefined if the bucket has none. */
  readonly print: (bucket: Bucket) => string | undefined
}

/** Undefined if the field is unknown, so that no bucket exists. */
export function bucketPrinter(aggregation: ResolvedAggregation, collection: CollectionView): BucketPrinter | undefined {
  const { level, format, metrics, hits, aggregated, raw } = aggregation
  if (level === undefined) return undefined
  const { grouping } = level
  const write = hits && hitsWriter(hits, collection)
  const top = hits?.top ?? 0
  const fetched = fetchedPrinter(aggregation, grouping)
  return {
    ...keyPrinter(grouping, format),
    ...(metrics.length === 0 ? {} : { metrics: metricsPrinter(metrics) }),
    ...(write ? { hits: ({ tops }) => `"hits":${JSON.stringify(write(tops[top] ?? []))}` } : {}),
    geometries: [
      ...aggregated.map((one) => ({ reference: one.form, print: aggregatedPrinter(one, grouping) })),
      ...raw.map((one) => ({ reference: one.field.path, sort: one.sort, print: printed(rawGeometry(one)) })),
    ],
    ...(fetched ? { fetched: (bucket) => fetched(bucket) ?? 'null' } : {}),
  }
}

const isGrid = (grouping: Grouping): grouping is GridGrouping =>
  grouping.kind === 'geohash' || grouping.kind === 'geotile' || grouping.kind === 'geohex'

function keyPrinter(grouping: Grouping, format: ResolvedAggregation['format']): Pick<BucketPrinter, 'key' | 'name'> {
  if (isGrid(grouping)) {
    const cell = cellPrinter(grouping)
    const name = (key: BucketKey): string =>
      typeof key === 'object' ? `"${grouping.level}/${key.x}/${key.y}"` : JSON.stringify(String(key))
    return { name, key: (key) => `${cell.key(key)},"key_as_string":${name(key)}` }
  }
  const write = keyWriter(grouping, format)
  return {
    name(key) {
      const written = write(key)
      return JSON.stringify(written.key_as_string ?? written.key)
    },
    key(key) {
      const written = write(key)
      const text = JSON.stringify(written.key)
      const name = written.key_as_string
      if (name === undefined) return `"key":${text}`
      return `"key":${text},"key_as_string":${name === written.key ? text : JSON.stringify(name)}`
    },
  }
}

function metricsPrinter(metrics: ResolvedAggregation['metrics']): TextOf {
  const printers = metrics.map(({ fct, path, place }) => {
    const head = `{"type":${JSON.stringify(fct)},"field":${JSON.stringify(path.replaceAll('.', '_'))}`
    return ({ metrics: values }: Bucket): string => {
      const value = writeValue(fct, place === undefined ? null : (values[place] ?? null))
      return value === undefined ? `${head}}` : `${head},"value":${JSON.stringify(value)}}`
    }
  })
  return (bucket) => {
    let text = '"metrics":['
    for (const [i, print] of printers.entries()) text += i === 0 ? print(bucket) : `,${print(bucket)}`
    return `${text}]`
  }
}

function aggregatedPrinter(one: ResolvedAggregated, grouping: Grouping): GeometryPrinter['print'] {
  if (isGrid(grouping)) {
    const cell = cellPrinter(grouping)
    if (one.form === 'cell' || one.form === 'geohash') return ({ key }) => cell.outline(key)
    if (one.form === 'cell_center' || one.form === 'geohash_center') return ({ key }) => cell.centre(key)
  }
  return printed(aggregatedGeometry(one, grouping))
}

function fetchedPrinter({ fetched }: ResolvedAggregation, grouping: Grouping): GeometryPrinter['print'] | undefined {
  if (fetched === undefined) return undefined
  return fetched.kind === 'bucket' ? aggregatedPrinter(fetched, grouping) : printed(rawGeometry(fetched))
}

const printed =
  (of: (bucket: Bucket) => unknown): GeometryPrinter['print'] =>
  (bucket) => {
    const geometry = of(bucket)
    return geometry === undefined ? undefined : JSON.stringify(geometry)
  }
