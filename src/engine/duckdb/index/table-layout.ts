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

/** Not based on the number of columns: a field may have several, and the conversion of old databases drops some. */
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

/** Field whose places segments are sorted by: the first point, else the first shape. */
export function clusteringField(layout: TableLayout): FieldLayout | undefined {
  return layout.fields.find((f) => f.type === 'GEO_POINT') ?? layout.fields.find((f) => f.type === 'GEO_SHAPE')
}
