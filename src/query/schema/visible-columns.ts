import { problem } from '../../errors.ts'
import type { Mapping, MappingField } from '../../model/mapping.ts'
import { type FieldPatterns, fieldPatterns } from './field-pattern.ts'
import type { Schema } from './schema.ts'

/** What a caller may see of the fields of a collection. */
export interface VisibleColumns {
  /** Whether there is any restriction. */
  readonly restricted: boolean
  covers(path: string): boolean
}

export const allColumns: VisibleColumns = { restricted: false, covers: () => true }

/** The columns the patterns cover; the paths of the collection always are. */
export function visibleColumns(patterns: FieldPatterns, paths: readonly string[]): VisibleColumns {
  if (patterns.patterns.some((pattern) => /^\*+$/.test(pattern))) return allColumns
  const always = fieldPatterns(paths)
  return { restricted: true, covers: (path) => patterns.selects(path) || always.selects(path) }
}

/** The paths a caller named must all be covered; which of them exist plays no part. */
export function checkColumns(columns: VisibleColumns, named: readonly string[]): void {
  const refused = [...new Set(named)].filter((path) => !columns.covers(path))
  if (refused.length > 0) throw problem('COLUMN_NOT_AVAILABLE', { name: refused.join(', ') })
}

/** The schema without the fields that are not covered: to the caller they do not exist. */
export function visibleSchema(schema: Schema, columns: VisibleColumns): Schema {
  if (!columns.restricted) return schema
  const holders = holdersOf(schema, columns)
  const isSeen = (path: string): boolean => columns.covers(path) || holders.has(path)
  return {
    ...schema,
    fields: schema.fields.filter(({ path }) => isSeen(path)),
    tree: { ...schema.tree, properties: visibleProperties(schema.tree.properties, '', columns) },
    lookup: (path) => (isSeen(path) ? schema.lookup(path) : undefined),
    indicesOf: (path) => (isSeen(path) ? schema.indicesOf(path) : []),
  }
}

/** The objects with a covered field in them. */
function holdersOf(schema: Schema, columns: VisibleColumns): ReadonlySet<string> {
  const holders = new Set<string>()
  for (const { path } of schema.fields) {
    if (!columns.covers(path)) continue
    for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) holders.add(path.slice(0, dot))
  }
  return holders
}

function visibleProperties(
  properties: Mapping['properties'],
  prefix: string,
  columns: VisibleColumns,
): Mapping['properties'] {
  const kept: [string, MappingField][] = []
  for (const [name, field] of Object.entries(properties)) {
    const path = `${prefix}${name}`
    if (columns.covers(path)) kept.push([name, field])
    else if (field.properties !== undefined) {
      const below = visibleProperties(field.properties, `${path}.`, columns)
      if (Object.keys(below).length > 0) kept.push([name, { ...field, properties: below }])
    }
  }
  return Object.fromEntries(kept)
}

/** Fields that are never shown: those of exclude_fields, and those that are not covered. */
export function hiddenFields(excluded: FieldPatterns, columns: VisibleColumns, schema: Schema): FieldPatterns {
  if (!columns.restricted) return excluded
  const holders = holdersOf(schema, columns)
  return {
    patterns: [...excluded.patterns, '*'],
    // An object is walked into when something below it is covered.
    selects: (path) => excluded.selects(path) || !(columns.covers(path) || holders.has(path)),
  }
}
