import type { FieldType } from '../../model/field-type.ts'
import { fieldNotFound } from '../filter/filter-context.ts'
import { type CollectionView, ownerOf } from '../schema/collection-view.ts'
import type { Field } from '../schema/field.ts'
import { type CollectFunction, isGeoFunction } from './aggregation-couples.ts'
import { aggregationFault, partOf } from './aggregation-fault.ts'
import { isGrid } from './aggregation-geometries.ts'
import type { ParsedAggregation } from './aggregation-syntax.ts'
import type { AggregatedForm, AggregationType } from './resolved-aggregation.ts'

const NUMBERS: readonly FieldType[] = ['LONG', 'INTEGER', 'SHORT', 'BYTE', 'DOUBLE', 'FLOAT']
const ORDERED: readonly FieldType[] = [...NUMBERS, 'DATE']
const DISTINCT: readonly FieldType[] = ['KEYWORD', 'IP', 'BOOLEAN', 'DATE', ...NUMBERS]
export const GEO: readonly FieldType[] = ['GEO_POINT', 'GEO_SHAPE']

/** Field types an aggregation accepts (spec 1.5). */
export function groupingTypes(type: AggregationType): readonly FieldType[] {
  if (isGrid(type)) return GEO
  return type === 'term' ? DISTINCT : type === 'histogram' ? ORDERED : ['DATE']
}

/** Field types a function accepts (spec 1.5; same as for `_compute`, spec 5.9 of exploration). */
export function functionTypes(fct: CollectFunction): readonly FieldType[] {
  if (isGeoFunction(fct)) return GEO
  return fct === 'cardinality' ? DISTINCT : ORDERED
}

/** Returns why a field is not accepted, as a clause after the name of the parameter; undefined if it is. */
export function unsuitable(field: Field, allowed: readonly FieldType[]): string | undefined {
  const { type, indexed, nested } = field
  if (allowed.includes(type) && indexed && !nested) return undefined
  const trait = nested ? ' and below a NESTED field' : indexed ? '' : ' and not indexed'
  return `must be an indexed field of type ${allowed.join(', ')}, not of type ${type}${trait}`
}

/** Rules V22, V27. */
export function checkSuitable(field: Field, allowed: readonly FieldType[], part: string, position: number): void {
  const reason = unsuitable(field, allowed)
  if (reason !== undefined) throw aggregationFault(position, part, reason, field.path)
}

/** True for forms computed from the values of a field; cells are not. */
export const needsValues = (form: AggregatedForm): form is 'bbox' | 'centroid' => form === 'bbox' || form === 'centroid'

/** Path of the field for bbox and centroid: the field of a grid, else the centroid of the collection (spec 2.11). */
export const geometryPath = ({ type, path }: ParsedAggregation, { reference }: CollectionView): string =>
  isGrid(type) ? path : reference.params.centroid_path

/** Rules V23, V28: required fields exist. Hidden fields count as unknown where their values would be returned. */
export function checkExistence(aggregation: ParsedAggregation, collection: CollectionView): void {
  const { type, path, couples, aggregated, raw, fetched, hits, position } = aggregation
  const check = (part: string, name: string, isShown = false): void => {
    if (collection.schema.lookup(name) !== undefined && !(isShown && collection.hidden.selects(name))) return
    throw fieldNotFound(name, collection.schema, `${ownerOf(collection)}, used by ${partOf(part, position)}`)
  }
  if (isGrid(type)) check('field', path)
  for (const couple of couples) if (isGeoFunction(couple.fct)) check('collect_field', couple.path)
  if (aggregated.some(needsValues)) check('aggregated_geometries', geometryPath(aggregation, collection))
  for (const entry of raw) {
    check('raw_geometries', entry.path, true)
    for (const { name } of entry.sort?.names ?? []) check('raw_geometries', name, true)
  }
  if (fetched?.kind === 'bucket' && needsValues(fetched.form)) {
    check('fetch_geometry', geometryPath(aggregation, collection))
  }
  if (fetched?.kind === 'document') {
    const { geometry_path, timestamp_path } = collection.reference.params
    check('fetch_geometry', geometry_path)
    // The paths of the collection are always visible.
    check('fetch_geometry', fetched.name ?? timestamp_path, fetched.name !== undefined)
  }
  for (const { name } of hits?.names ?? []) check('fetch_hits', name, true)
}

/** Returns the field; throws if it does not exist. */
export function existing(path: string, collection: CollectionView): Field {
  const field = collection.schema.lookup(path)
  if (field === undefined) throw fieldNotFound(path, collection.schema, ownerOf(collection))
  return field
}
