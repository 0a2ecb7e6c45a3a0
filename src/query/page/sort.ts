import { problem } from '../../errors.ts'
import { fieldNotFound } from '../filter/filter-context.ts'
import type { SortKey } from '../plan/plan.ts'
import { type CollectionView, ownerOf } from '../schema/collection-view.ts'
import { type Field, isGeo } from '../schema/field.ts'
import { parseDecimal } from '../value/numbers.ts'

/** One item of `sort` as written (spec 5.2.2, 5.2.3). */
export type SortItem =
  | { readonly kind: 'field'; readonly path: string; readonly descending: boolean }
  | { readonly kind: 'distance'; readonly lat: number; readonly lon: number; readonly descending: boolean }

const FORM = 'must consist of items such as field, -field or geodistance:{lat} {lon}'
const DISTANCE = /^geodistance:/i

/** Checks the syntax of `sort`; fields are not looked up yet. */
export function parseSortItems(text: string | undefined, parameter: string): readonly SortItem[] {
  if (text === undefined) return []
  const items = text.split(',').map((item) => parseSortItem(item.trim(), parameter))
  if (items.filter((item) => item.kind === 'distance').length > 1) {
    throw problem('INVALID_PARAMETER', { parameter, value: text, reason: 'must contain geodistance at most once' })
  }
  return items
}

function parseSortItem(item: string, parameter: string): SortItem {
  const descending = item.startsWith('-')
  const body = descending || item.startsWith('+') ? item.slice(1) : item
  if (DISTANCE.test(body)) return parseDistance(body.slice(body.indexOf(':') + 1), item, descending, parameter)
  if (body === '') throw problem('INVALID_PARAMETER', { parameter, value: item, reason: `${FORM}, but one is empty` })
  if (/\s/.test(body)) {
    throw problem('INVALID_PARAMETER', {
      parameter,
      value: item,
      reason: `${FORM}; other items must not contain spaces`,
    })
  }
  return { kind: 'field', path: body, descending }
}

function parseDistance(text: string, item: string, descending: boolean, parameter: string): SortItem {
  const [lat, lon, ...rest] = text
    .trim()
    .split(/\s+/)
    .map((part) => (parseDecimal(part) === undefined ? Number.NaN : Number(part)))
  const reason = 'must have a distance in the form geodistance:{lat} {lon}'
  if (lat === undefined || lon === undefined || rest.length > 0 || Number.isNaN(lat) || Number.isNaN(lon)) {
    throw problem('INVALID_PARAMETER', { parameter, value: item, reason })
  }
  if (Math.abs(lat) > 90 || Math.abs(lon) > 180) {
    const range = `${reason} with lat from -90 to 90 and lon from -180 to 180`
    throw problem('INVALID_PARAMETER', { parameter, value: item, reason: range })
  }
  return { kind: 'distance', lat, lon, descending }
}

/** Resolves the items; the id is appended unless it is the last item, so the order is total (spec 2.4.2). */
export function resolveSort(items: readonly SortItem[], view: CollectionView, parameter: string): readonly SortKey[] {
  const keys = items.map((item) => resolveItem(item, view, parameter))
  const { id_path } = view.reference.params
  if (endsWithId(items, view)) return keys
  const id = view.schema.lookup(id_path)
  return id === undefined || unsortable(id) !== undefined
    ? keys
    : [...keys, { kind: 'field', field: id, descending: false }]
}

/** True if the last item is the id, in either direction, so the page can be continued with a cursor (spec 5.2.4). */
export function endsWithId(items: readonly SortItem[], view: CollectionView): boolean {
  const last = items.at(-1)
  return last?.kind === 'field' && last.path === view.reference.params.id_path
}

function resolveItem(item: SortItem, view: CollectionView, parameter: string): SortKey {
  const path = item.kind === 'field' ? item.path : view.reference.params.centroid_path
  const field = view.schema.lookup(path)
  if (field === undefined) throw fieldNotFound(path, view.schema, ownerOf(view))
  if (item.kind === 'distance') {
    if (!isGeo(field.type)) {
      const reason = `must not use geodistance, because centroid_path is of type ${field.type}`
      throw problem('INVALID_PARAMETER', { parameter, reason })
    }
    return { kind: 'distance', field, lon: item.lon, lat: item.lat, descending: item.descending }
  }
  const reason = unsortable(field)
  if (reason !== undefined) throw problem('INVALID_PARAMETER', { parameter, value: path, reason })
  return { kind: 'field', field, descending: item.descending }
}

/** Returns why a field cannot be sorted, as a clause after the name of the parameter; undefined if it can. */
export function unsortable(field: Field): string | undefined {
  if (field.nested) return 'must not contain a field below a NESTED field'
  if (field.type === 'TEXT' || isGeo(field.type) || ['OBJECT', 'NESTED', 'UNKNOWN'].includes(field.type)) {
    return `must not contain a field of type ${field.type}`
  }
  return field.indexed ? undefined : 'must not contain a field that is not indexed'
}
