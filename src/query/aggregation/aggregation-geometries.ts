import type { RawGeometry } from '../../model/aggregation.ts'
import { type AggregationDraft, foldWord } from './aggregation-draft.ts'
import { aggregationFault } from './aggregation-fault.ts'
import { parseSignedNames, type SignedName, splitSortList } from './aggregation-sort-list.ts'
import { type AggregatedForm, type AggregationType, aggregatedForms } from './resolved-aggregation.ts'

/** A raw geometry as requested; names are not resolved yet. */
interface RawRequest {
  readonly geometry: string
  /** Absent if not requested. */
  readonly sort?: { readonly text: string; readonly names: readonly SignedName[] }
}

const gridTypes: readonly AggregationType[] = ['geohash', 'geotile', 'geohex']
export const isGrid = (type: AggregationType): type is 'geohash' | 'geotile' | 'geohex' => gridTypes.includes(type)

/** Rules V19, V20: the requested forms, without duplicates. */
export function readAggregatedForms({
  aggregatedGeometries,
  position,
  type,
}: AggregationDraft): readonly AggregatedForm[] {
  if (aggregatedGeometries === undefined) return []
  const items = typeof aggregatedGeometries === 'string' ? aggregatedGeometries.split(',') : aggregatedGeometries
  const forms = items.map((item) => {
    const form = formOf(item)
    if (form === undefined) {
      const reason = `must be a list of ${aggregatedForms.join(', ')}`
      throw aggregationFault(position, 'aggregated_geometries', reason, item.trim())
    }
    if (form !== 'bbox' && form !== 'centroid' && !isGrid(type)) {
      const reason = `must be bbox or centroid for type ${type}, because only ${gridTypes.join(', ')} have cells`
      throw aggregationFault(position, 'aggregated_geometries', reason, item.trim())
    }
    return form
  })
  return [...new Set(forms)]
}

function formOf(item: string): AggregatedForm | undefined {
  const word = foldWord(item)
  return word === 'cellcenter' ? 'cell_center' : aggregatedForms.find((form) => form === word)
}

const RAW_FORM = "must be a list of names separated by ';', each with an optional sort list in parentheses"

/** Rule V21. */
export function readRawGeometries({ rawGeometries, position }: AggregationDraft): readonly RawRequest[] {
  if (rawGeometries === undefined) return []
  if (typeof rawGeometries !== 'string') {
    return rawGeometries.map((entry) => readRaw(entry.geometry ?? '', sortOf(entry), position, entry))
  }
  return rawGeometries.split(';').map((entry) => {
    const open = entry.indexOf('(')
    const end = entry.trimEnd()
    if (open < 0) return readRaw(entry, '', position, rawGeometries)
    if (!end.endsWith(')')) {
      throw aggregationFault(position, 'raw_geometries', `${RAW_FORM}; its parentheses are not balanced`, rawGeometries)
    }
    return readRaw(entry.slice(0, open), end.slice(open + 1, -1), position, rawGeometries)
  })
}

const sortOf = ({ sort = '', signedSort = '' }: RawGeometry): string => (sort.trim() === '' ? signedSort : sort)

function readRaw(name: string, list: string, position: number, written: unknown): RawRequest {
  const fault = (detail: string): Error =>
    aggregationFault(position, 'raw_geometries', `${RAW_FORM}; ${detail}`, written)
  const geometry = name.trim()
  const text = list.trim()
  if (geometry.includes(',')) throw fault('a comma is outside parentheses')
  if (/[()]/.test(geometry) || /[()]/.test(text)) throw fault('its parentheses are not balanced')
  if (/;/.test(geometry) || /;/.test(text)) throw fault('a name contains a semicolon')
  const names = parseSignedNames(splitSortList(text))
  if (geometry === '' || names === undefined) throw fault('a name is empty')
  return { geometry, ...(names.length === 0 ? {} : { sort: { text, names } }) }
}
