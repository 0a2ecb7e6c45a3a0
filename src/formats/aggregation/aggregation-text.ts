import type { Bucket, BucketList } from '../../engine/engine.ts'
import { type Cell, cellName } from '../../geo/grid/cell.ts'
import type { ResolvedAggregation } from '../../query/aggregation/resolved-aggregation.ts'
import type { CollectionView } from '../../query/schema/collection-view.ts'
import { Turn } from '../../turn.ts'
import { aggregationName } from './aggregation-answer.ts'
import { gridNames } from './aggregation-features.ts'
import { type BucketPrinter, bucketPrinter, type GeometryPrinter } from './bucket-text.ts'

/*
 * Prints buckets directly, in compact and nested form. The same text as of the objects that `writeAggregation` and
 * `aggregationFeatures` return, in a fraction of the time: an answer has thousands of buckets.
 */

/** Buckets between two looks at the clock. */
const BETWEEN_LOOKS = 32

/** Returns the members of an aggregation: `"name":…,"elements":[…]`. */
export function printAggregation(
  list: BucketList,
  aggregations: readonly ResolvedAggregation[],
  collection: CollectionView,
): Promise<string> {
  return listPrinter(aggregations, collection)(list, new Turn())
}

type ListPrinter = (list: BucketList | undefined, turn: Turn) => Promise<string>

function listPrinter(aggregations: readonly ResolvedAggregation[], collection: CollectionView): ListPrinter {
  const [aggregation, ...nested] = aggregations
  if (aggregation === undefined) throw new Error('the response has no aggregation')
  const name = JSON.stringify(aggregationName(aggregation))
  const isTerm = aggregation.type === 'term'
  const print = elementsPrinter(bucketPrinter(aggregation, collection), printBucket, nested, collection)
  return async (list, turn) => {
    const elements = await print(list?.buckets ?? [], turn)
    return `"name":${name}${isTerm ? `,"sumotherdoccounts":${list?.others ?? 0}` : ''},"elements":[${elements}]`
  }
}

/** `elements`: the nested ones, as a member with a comma before it, or empty. */
type ElementPrinter = (printer: BucketPrinter, bucket: Bucket, elements: string) => string

function elementsPrinter(
  printer: BucketPrinter | undefined,
  print: ElementPrinter,
  nested: readonly ResolvedAggregation[],
  collection: CollectionView,
): (buckets: readonly Bucket[], turn: Turn) => Promise<string> {
  const children = nested.length === 0 ? undefined : listPrinter(nested, collection)
  return async (buckets, turn) => {
    if (printer === undefined) return ''
    let text = ''
    let looked = 0
    for (const bucket of buckets) {
      const elements = children ? `,"elements":[{${await children(bucket.children, turn)}}]` : ''
      const element = print(printer, bucket, elements)
      if (element !== '') text += text === '' ? element : `,${element}`
      if (++looked % BETWEEN_LOOKS === 0 && turn.isOver) await turn.next()
    }
    return text
  }
}

const printBucket: ElementPrinter = ({ key, metrics, hits, geometries, fetched }, bucket, elements) => {
  let text = `{"count":${bucket.count},${key(bucket.key)}`
  if (metrics) text += `,${metrics(bucket)}`
  if (hits) text += `,${hits(bucket)}`
  if (geometries.length > 0) text += `,"geometries":[${printGeometries(geometries, bucket)}]`
  if (fetched) text += `,"geometry":${fetched(bucket)}`
  return `${text}${elements}}`
}

function printGeometries(geometries: readonly GeometryPrinter[], bucket: Bucket): string {
  let text = ''
  for (const { reference, sort, print } of geometries) {
    const geometry = print(bucket)
    if (geometry === undefined) continue
    const order = sort === undefined ? '' : `,"sort":${JSON.stringify(sort)}`
    const comma = text === '' ? '' : ','
    text += `${comma}{"reference":${JSON.stringify(reference)},"geometry":${geometry}${order},"is_raw":${sort !== undefined}}`
  }
  return text
}

/** Returns the features of an aggregation, separated by commas. `cell`: of the request path. */
export function printAggregationFeatures(
  list: BucketList,
  aggregations: readonly ResolvedAggregation[],
  { collection, cell }: { readonly collection: CollectionView; readonly cell?: Cell | undefined },
): Promise<string> {
  const [main, ...nested] = aggregations
  if (main === undefined) throw new Error('the request has no aggregation')
  const print = featuresPrinter(main, cell)
  return elementsPrinter(bucketPrinter(main, collection), print, nested, collection)(list.buckets, new Turn())
}

function featuresPrinter({ type, fetched }: ResolvedAggregation, cell: Cell | undefined): ElementPrinter {
  const names = gridNames(type)
  const label = JSON.stringify(names?.cell ?? 'key')
  const parent =
    names === undefined || cell === undefined
      ? ''
      : `,${JSON.stringify(names.parent)}:${JSON.stringify(cellName(cell))}`
  const kind = '"feature_type":"aggregation","geometry_ref":'
  const reference = fetched && JSON.stringify(fetched.kind === 'bucket' ? fetched.form : fetched.field.path)
  return (printer, bucket, elements) => {
    const { name, metrics, hits, geometries } = printer
    let own = `"properties":{"count":${bucket.count},${label}:${name(bucket.key)}`
    if (metrics) own += `,${metrics(bucket)}`
    own += elements
    if (hits) own += `,${hits(bucket)}`
    if (printer.fetched) {
      return `{"type":"Feature","geometry":${printer.fetched(bucket)},${own},${kind}${reference}${parent}}}`
    }
    let features = ''
    for (const { reference: form, sort, print } of geometries) {
      const geometry = print(bucket)
      if (geometry === undefined) continue
      const raw = sort === undefined ? '"aggregated"' : `"raw","geometry_sort":${JSON.stringify(sort)}`
      const described = `${own},${kind}${JSON.stringify(form)},"geometry_type":${raw}${parent}}`
      features += `${features === '' ? '' : ','}{"type":"Feature","geometry":${geometry},${described}}`
    }
    return features
  }
}
