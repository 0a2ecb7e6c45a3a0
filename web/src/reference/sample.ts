import type { CollectionDescription, Hit } from '../api/answers.ts'
import { fieldsOf, isNumber, isRanked, valueAt } from '../api/collection-fields.ts'

/** Values of a document of the server, from which examples are made. */
export interface Sample {
  readonly collection: string
  readonly index: string
  readonly identifier: string
  readonly centroidPath: string
  readonly datePath: string
  /** Centroid of the document: longitude and latitude. */
  readonly place: readonly [number, number]
  readonly number?: { readonly path: string; readonly value: number }
  readonly term?: { readonly path: string; readonly value: string }
  readonly taggable?: string
}

export function sampleOf(description: CollectionDescription, { md, data }: Hit): Sample {
  const { params } = description
  const fields = fieldsOf(description)
  const number = fields.filter(isNumber).flatMap(({ path }) => {
    const value = valueAt(data, path)
    return typeof value === 'number' ? [{ path, value }] : []
  })[0]
  const term = fields.filter(isRanked).flatMap(({ path }) => {
    const value = valueAt(data, path)
    return path !== params.id_path && typeof value === 'string' && isPlain(value) ? [{ path, value }] : []
  })[0]
  const taggable = params.taggable_fields?.split(',')[0]?.trim()
  const [longitude = 0, latitude = 0] = md.centroid?.type === 'Point' ? md.centroid.coordinates : []
  return {
    collection: description.collection_name,
    index: params.index_name ?? description.collection_name,
    identifier: md.id ?? '',
    centroidPath: params.centroid_path,
    datePath: params.timestamp_path,
    place: [longitude, latitude],
    ...(number === undefined ? {} : { number }),
    ...(term === undefined ? {} : { term }),
    ...(taggable === undefined || taggable === '' ? {} : { taggable }),
  }
}

/** True for values without characters that the filter language gives a meaning. */
const isPlain = (value: string): boolean => /^[\w -]{2,60}$/.test(value)
