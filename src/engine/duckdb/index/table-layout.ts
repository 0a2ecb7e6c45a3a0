import type { FieldType } from '../../../model/field-type.ts'
import type { Mapping, MappingField } from '../../../model/mapping.ts'
import { typeOf } from '../../../query/schema/schema.ts'

/** One physical column of an index table, in table order. */
interface Column {
  readonly name: string
  readonly sqlType: string
}

/** Columns of one field: `column` plus the suffixes of its type. */
export interface FieldLayout {
  readonly path: string
  readonly type: FieldType
  readonly format?: string
  readonly column: string
  /**
   * True if a document had several values. The column `<column>_all` then has all values of such documents
   * (several-values.ts).
   */
  readonly several: boolean
  /**
   * Arranged documents have the rank of their value in the column `<column>_rank`. `terms`: the terms of the table map
   * a value to its rank. `rows`: almost every document has its own value, and ranks are assigned by row.
   */
  readonly ranked?: 'terms' | 'rows'
  /** True if every arranged document has a value. */
  readonly complete?: boolean
  /**
   * For dates: arranged documents have the day, counted from 1970, in the column `<column>_day`. Grouping by it is far
   * faster than computing the day of each instant.
   */
  readonly hasDay?: boolean
}

/**
 * Table layout of an index. Every single value is in a plain typed column, so that filters and sorts are pushed into
 * the scan. Documents with several values of a field also use a second column, created when the first such document
 * appears.
 */
export interface TableLayout {
  readonly columns: readonly Column[]
  readonly fields: readonly FieldLayout[]
}

/** SQL type of one value. Dates are milliseconds, texts are token strings, IP addresses are 32 hexadecimal digits. */
export const sqlTypeOf: Readonly<Partial<Record<FieldType, string>>> = {
  KEYWORD: 'VARCHAR',
  TEXT: 'VARCHAR',
  IP: 'VARCHAR',
  LONG: 'BIGINT',
  INTEGER: 'INTEGER',
  SHORT: 'SMALLINT',
  BYTE: 'TINYINT',
  DOUBLE: 'DOUBLE',
  FLOAT: 'FLOAT',
  DATE: 'BIGINT',
  BOOLEAN: 'BOOLEAN',
}

const POINT_COLUMNS: readonly Column[] = [
  { name: '_lon', sqlType: 'DOUBLE' },
  { name: '_lat', sqlType: 'DOUBLE' },
  { name: '_key', sqlType: 'UBIGINT' },
]

/** The point columns of a shape contain its planar centroid. */
const SHAPE_COLUMNS: readonly Column[] = [
  ...POINT_COLUMNS,
  { name: '_wkb', sqlType: 'BLOB' },
  { name: '_west', sqlType: 'DOUBLE' },
  { name: '_south', sqlType: 'DOUBLE' },
  { name: '_east', sqlType: 'DOUBLE' },
  { name: '_north', sqlType: 'DOUBLE' },
]

/** `_at` and `_size` are the extent of the document's JSON in the source file. */
export const systemColumns: readonly Column[] = [
  { name: '_seq', sqlType: 'BIGINT' },
  { name: '_id', sqlType: 'VARCHAR' },
  { name: '_at', sqlType: 'BIGINT' },
  { name: '_size', sqlType: 'INTEGER' },
]

export function columnsOf(type: FieldType, column: string): readonly Column[] {
  if (type === 'GEO_POINT') return POINT_COLUMNS.map((c) => ({ name: column + c.name, sqlType: c.sqlType }))
  if (type === 'GEO_SHAPE') return SHAPE_COLUMNS.map((c) => ({ name: column + c.name, sqlType: c.sqlType }))
  const sqlType = sqlTypeOf[type]
  return sqlType === undefined ? [] : [{ name: column, sqlType }]
}

/** Column of all values of documents that have several of a field. */
export const severalColumn = ({ column }: Pick<FieldLayout, 'column'>): string => `${column}_all`

/** None for texts, whose values share one token string, and for shapes, which become one collection. */
export function listColumnOf(field: Pick<FieldLayout, 'type' | 'column'>): Column | undefined {
  if (field.type === 'TEXT' || field.type === 'GEO_SHAPE') return undefined
  const name = severalColumn(field)
  if (field.type === 'GEO_POINT') return { name, sqlType: 'STRUCT(lon DOUBLE, lat DOUBLE, key UBIGINT)[]' }
  return sqlTypeOf[field.type] === undefined ? undefined : { name, sqlType: 'VARCHAR' }
}

export function rankColumnOf(field: Pick<FieldLayout, 'column'>): Column {
  return { name: `${field.column}_rank`, sqlType: 'UINTEGER' }
}

export function dayColumnOf(field: Pick<FieldLayout, 'column'>): Column {
  return { name: `${field.column}_day`, sqlType: 'INTEGER' }
}

interface Leaf {
  readonly path: string
  readonly type: FieldType
  readonly format?: string
}

/** Returns the fields of a mapping that have columns: typed, indexed, not below a nested or disabled object. */
function storedLeaves(mapping: Mapping): readonly Leaf[] {
  const leaves: Leaf[] = []
  const visit = (prefix: string, properties: Readonly<Record<string, MappingField>>): void => {
    for (const [name, field] of Object.entries(properties)) {
      const path = prefix + name
      const type = typeOf(field.type)
      if (field.enabled === false || type === 'NESTED') continue
      if (type === 'OBJECT') visit(`${path}.`, field.properties ?? {})
      else if (field.index !== false)
        leaves.push(field.format === undefined ? { path, type } : { path, type, format: field.format })
    }
  }
  visit('', mapping.properties)
  return leaves
}

/** Column list for CREATE TABLE. */
export const declareColumns = ({ columns }: TableLayout): string =>
  columns.map(({ name, sqlType }) => `${name} ${sqlType}`).join(', ')

/** Returns the layout for a mapping. Columns of the previous layout keep their positions; new ones are appended. */
export function layoutOf(mapping: Mapping, previous?: TableLayout): TableLayout {
  const columns: Column[] = [...(previous?.columns ?? systemColumns)]
  const known = new Map((previous?.fields ?? []).map((f) => [f.path, f]))
  const fields = storedLeaves(mapping).map((leaf): FieldLayout => {
    const old = known.get(leaf.path)
    if (old) return old
    const field = { ...leaf, column: nextColumn(columns), several: false }
    columns.push(...columnsOf(field.type, field.column))
    return field
  })
  return { columns, fields }
}

/** Not based on the number of columns, because rank columns are added and dropped. */
function nextColumn(columns: readonly Column[]): string {
  const taken = columns.map((c) => Number(/^c(\d+)/.exec(c.name)?.[1] ?? 0))
  return `c${Math.max(systemColumns.length - 1, ...taken) + 1}`
}

/**
 * Returns the layout with list columns for the fields at `paths`. Returns `layout` itself if they have them already.
 */
export function withSeveral(layout: TableLayout, paths: ReadonlySet<string>): TableLayout {
  const columns: Column[] = [...layout.columns]
  const fields = layout.fields.map((field) => {
    const list = paths.has(field.path) && !field.several ? listColumnOf(field) : undefined
    if (!list) return field
    columns.push(list)
    return { ...field, several: true }
  })
  return columns.length === layout.columns.length ? layout : { columns, fields }
}

/** What arranging adds to a field to speed up queries: rank and day columns. */
export type Aid = Pick<FieldLayout, 'ranked' | 'complete' | 'hasDay'>

const aidColumns = (field: FieldLayout): readonly Column[] => [
  ...(field.ranked ? [rankColumnOf(field)] : []),
  ...(field.hasDay ? [dayColumnOf(field)] : []),
]

/** Returns the layout with aids for exactly the given fields, by path. Their columns come last. */
export function withAids(layout: TableLayout, aids: ReadonlyMap<string, Aid>): TableLayout {
  const old = new Set(layout.fields.flatMap(aidColumns).map((c) => c.name))
  const fields = layout.fields.map(
    ({ ranked: _ranked, complete: _complete, hasDay: _hasDay, ...field }): FieldLayout => ({
      ...field,
      ...aids.get(field.path),
    }),
  )
  const columns = [...layout.columns.filter((c) => !old.has(c.name)), ...fields.flatMap(aidColumns)]
  return { columns, fields }
}

/**
 * Returns the layout without the aids of the fields at `paths`, and the dropped columns. Returns `layout` itself if
 * they have none.
 */
export function withoutAids(
  layout: TableLayout,
  paths: ReadonlySet<string>,
): { readonly layout: TableLayout; readonly dropped: readonly Column[] } {
  const losing = layout.fields.filter((f) => paths.has(f.path) && (f.ranked || f.hasDay || f.complete))
  if (losing.length === 0) return { layout, dropped: [] }
  const dropped = losing.flatMap(aidColumns)
  const names = new Set(dropped.map((c) => c.name))
  const fields = layout.fields.map((field): FieldLayout => {
    if (!losing.includes(field)) return field
    const { ranked: _ranked, complete: _complete, hasDay: _hasDay, ...plain } = field
    return plain
  })
  return { layout: { columns: layout.columns.filter((c) => !names.has(c.name)), fields }, dropped }
}

/** Field that determines the row order: the first point, else the first shape. */
export function clusteringField(layout: TableLayout): FieldLayout | undefined {
  return layout.fields.find((f) => f.type === 'GEO_POINT') ?? layout.fields.find((f) => f.type === 'GEO_SHAPE')
}

/** The clustering field if it is a single-valued point. */
export function clusteringPoint(layout: TableLayout): FieldLayout | undefined {
  const field = clusteringField(layout)
  return field?.type === 'GEO_POINT' && !field.several ? field : undefined
}
