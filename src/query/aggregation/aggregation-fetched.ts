import { type AggregationDraft, foldWord } from './aggregation-draft.ts'
import { aggregationFault } from './aggregation-fault.ts'
import { isGrid } from './aggregation-geometries.ts'
import type { AggregatedForm } from './resolved-aggregation.ts'

/** The geometry per bucket requested with fetch_geometry (earlier revision of the interface). */
export type FetchedGeometry =
  | { readonly kind: 'bucket'; readonly form: AggregatedForm }
  /** The geometry of the first or last document in the order of a field; by default the timestamp of the collection. */
  | { readonly kind: 'document'; readonly name?: string; readonly last: boolean }

const PART = 'fetch_geometry'
const FORM = 'must be byDefault, centroid, bbox, geohash, first, last, {field}-first or {field}-last'

/** Parses fetch_geometry; whether the field is sortable is checked later. */
export function readFetchGeometry(draft: AggregationDraft): FetchedGeometry | undefined {
  const { fetchGeometry, rawGeometries, aggregatedGeometries, position } = draft
  if (fetchGeometry === undefined) return undefined
  if (rawGeometries !== undefined || aggregatedGeometries !== undefined) {
    const other = rawGeometries === undefined ? 'aggregated_geometries' : 'raw_geometries'
    throw aggregationFault(position, PART, `must not be given together with ${other}`)
  }
  const { strategy, field } = typeof fetchGeometry === 'string' ? cutText(fetchGeometry) : fetchGeometry
  const word = foldWord(strategy ?? 'byDefault')
  if (word === 'first' || word === 'last') return byDocument(field, word === 'last', draft)
  const form = formOf(word, draft)
  if (form === undefined) throw aggregationFault(position, PART, FORM, fetchGeometry)
  if (field === undefined) return { kind: 'bucket', form }
  throw aggregationFault(position, PART, `must not have a field for ${strategy}, only for first and last`, field)
}

/** Splits at the last hyphen, since field names may contain hyphens. */
function cutText(text: string): { readonly strategy: string; readonly field?: string } {
  if (text === '') return { strategy: 'byDefault' }
  const hyphen = text.lastIndexOf('-')
  return hyphen < 0 ? { strategy: text } : { strategy: text.slice(hyphen + 1), field: text.slice(0, hyphen) }
}

function byDocument(field: string | undefined, last: boolean, { position, fetchGeometry }: AggregationDraft) {
  const name = field?.trim()
  if (name === '') throw aggregationFault(position, PART, `${FORM}; the field is empty`, fetchGeometry)
  return { kind: 'document', last, ...(name === undefined ? {} : { name }) } as const
}

function formOf(word: string, { type, position }: AggregationDraft): AggregatedForm | undefined {
  switch (word) {
    case 'bydefault':
    case 'default':
      return isGrid(type) ? 'cell_center' : 'centroid'
    case 'bbox':
    case 'centroid':
      return word
    case 'geohash':
      if (type === 'geohash') return word
      throw aggregationFault(position, PART, `must not be geohash for type ${type}, only for type geohash`, word)
    default:
      return undefined
  }
}
