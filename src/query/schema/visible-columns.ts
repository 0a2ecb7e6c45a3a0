import { problem } from '../../errors.ts'
import type { Mapping, MappingField } from '../../model/mapping.ts'
import { type FieldPatterns, fieldPatterns } from './field-pattern.ts'
import type { Schema } from './schema.ts'

/** The fields of a collection a caller may see. */
export interface VisibleColumns {
  /** True if any column is hidden. */
  readonly restricted: boolean
  covers(path: string): boolean
}

export const allColumns: VisibleColumns = { restricted: false, covers: () => true }

/** Returns the columns covered by the patterns; the paths of the collection are always covered. */
export function visibleColumns(patterns: FieldPatterns, paths: readonly string[]): VisibleColumns {
  if (patterns.patterns.some((pattern) => /^\*+$/.test(pattern))) return allColumns
  const always = fieldPatterns(paths)
  return { restricted: true, covers: (path) => patterns.selects(path) || always.selects(path) }
}

/** Throws if a path named by the caller is not covered, whether it exists or not. */
export function checkColumns(columns: VisibleColumns, named: readonly string[]): void {
  const refused = [...new Set(named)].filter((path) => !columns.covers(path))
  if (refused.length > 0) throw problem('COLUMN_NOT_AVAILABLE', { name: refused.join(', ') })
}

/** Returns the schema without fields that are not covered: for the caller they do not exist. */
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

/** Returns the objects that contain a covered field. */
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

/** Returns the fields that are never returned: those of exclude_fields, and those that are not covered. */
export function hiddenFields(excluded: FieldPatterns, columns: VisibleColumns, schema: Schema): FieldPatterns {
  if (!columns.restricted) return excluded
  const holders = holdersOf(schema, columns)
  return {
    patterns: [...excluded.patterns, '*'],
    // An object is visited if something below it is covered.
    selects: (path) => excluded.selects(path) || !(columns.covers(path) || holders.has(path)),
  }
}
