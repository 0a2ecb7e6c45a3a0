import type { Mapping, MappingField } from '../../../model/mapping.ts'
import type { FieldType } from '../../../query/schema/field.ts'
import { typeOf } from '../../../query/schema/schema.ts'

/** One physical column of an index table, in the order of the table. */
export interface Column {
  readonly name: string
  readonly sqlType: string
}

/** Where the values of one field live. Its columns are `column` plus the suffixes of its type. */
export interface FieldLayout {
  readonly path: string
  readonly type: FieldType
  readonly format?: string
  readonly column: string
  /** A document had several values: the column `<column>_all` holds all values of such documents (several-values.ts). */
  readonly several: boolean
  /**
   * Arranged documents have the place of their value in the order of all values, in the column `<column>_rank`. The
   * place of a value is told by the terms of the table, or, where almost every document has its own, by its row.
   */
  readonly ranked?: 'terms' | 'rows'
  /** Every arranged document has a value. */
  readonly complete?: boolean
  /**
   * Of a date: arranged documents have its day, counted from 1970, in the column `<column>_day`. Timelines group by it
   * far faster than by what they would compute from each instant.
   */
  readonly hasDay?: boolean
}

/**
 * The table of an index: every single value sits in a plain typed column, so filters and sorts on it can be pushed into
 * the scan; only documents with several values of a field fill the column beside it, made when the first appears.
 */
export interface TableLayout {
  readonly columns: readonly Column[]
  readonly fields: readonly FieldLayout[]
}

/** SQL type of one value; dates are milliseconds, texts are their tokens, addresses 32 hexadecimal digits. */
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

/** The point columns of a shape hold its planar centroid. */
const SHAPE_COLUMNS: readonly Column[] = [
  ...POINT_COLUMNS,
  { name: '_wkb', sqlType: 'BLOB' },
  { name: '_west', sqlType: 'DOUBLE' },
  { name: '_south', sqlType: 'DOUBLE' },
  { name: '_east', sqlType: 'DOUBLE' },
  { name: '_north', sqlType: 'DOUBLE' },
]

/** `_at` and `_size` tell where the JSON of the document lies in the source file. */
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

/** The column of all values of documents that have several of a field. */
export const severalColumn = ({ column }: Pick<FieldLayout, 'column'>): string => `${column}_all`

/** Texts keep all their values in one token string, several shapes count as one collection: neither needs a column. */
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

/** The fields of a mapping that have columns: typed, indexed, not below a nested or disabled object. */
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

/** The columns as CREATE TABLE wants them. */
export const declareColumns = ({ columns }: TableLayout): string =>
  columns.map(({ name, sqlType }) => `${name} ${sqlType}`).join(', ')

/** The layout for a mapping; columns of a previous layout stay where they are, new ones are added at the end. */
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

/** Not the number of columns: those of ranks come and go. */
function nextColumn(columns: readonly Column[]): string {
  const taken = columns.map((c) => Number(/^c(\d+)/.exec(c.name)?.[1] ?? 0))
  return `c${Math.max(systemColumns.length - 1, ...taken) + 1}`
}

/** The layout once the fields at `paths` may hold several values in a document; itself when they may already. */
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

/** What arranging adds to a field. */
export type Aid = Pick<FieldLayout, 'ranked' | 'complete' | 'hasDay'>

const aidColumns = (field: FieldLayout): readonly Column[] => [
  ...(field.ranked ? [rankColumnOf(field)] : []),
  ...(field.hasDay ? [dayColumnOf(field)] : []),
]

/** The layout with aids for exactly the given fields, by path; their columns are the last ones. */
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

/** The layout without the aids of the fields at `paths`, and the columns that go; itself when they have none. */
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

/** The field whose keys the rows are stored in the order of: the first point, else the first shape. */
export function clusteringField(layout: TableLayout): FieldLayout | undefined {
  return layout.fields.find((f) => f.type === 'GEO_POINT') ?? layout.fields.find((f) => f.type === 'GEO_SHAPE')
}

/** The same where it is a point, of which a document has one at most. */
export function clusteringPoint(layout: TableLayout): FieldLayout | undefined {
  const field = clusteringField(layout)
  return field?.type === 'GEO_POINT' && !field.several ? field : undefined
}
