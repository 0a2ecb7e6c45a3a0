import type { DuckDBConnection } from '@duckdb/node-api'
import { extendMapping } from '../../../mapping/extend-mapping.ts'
import { inferMapping } from '../../../mapping/infer-mapping.ts'
import type { JsonObject } from '../../../model/json/document.ts'
import { parseObject } from '../../../model/json/json-object.ts'
import type { Mapping } from '../../../model/mapping.ts'
import { partialDocument } from '../../../model/tag/tag-effect.ts'
import type { ChangedText } from '../../../model/tag/tag-text.ts'
import { inTurns, type Turn } from '../../../turn.ts'
import { UnreadableValue } from '../columns/document-columns.ts'
import { RowBatch } from '../columns/row-batch.ts'
import type { IndexDefinition } from '../index/index-definition.ts'
import { layoutOf, type TableLayout, withSeveral } from '../index/table-layout.ts'
import { type RowEdits, recordsOf } from '../parts/index-parts.ts'
import type { IncomingRows } from '../segment/incoming-rows.ts'
import type { IndexTable } from '../table/index-table.ts'
import { type EditedFields, editedColumns, editedFields, isMapped } from './edited-fields.ts'
import { addColumns } from './widen-mapping.ts'

/** A stored document and the change to one of its fields. */
export interface DocumentEdit {
  /** Row number. */
  readonly seq: number
  /** Bytes of the old source. */
  readonly size: number
  readonly change: ChangedText
}

export interface EditOutcome {
  /** The table with its new definition. The caller saves the definition, and publishes the table after the commit. */
  readonly table: IndexTable
  /** Reasons of rejected documents, by row number. They stay unchanged. */
  readonly refused: ReadonlyMap<number, string>
}

/** The edits that can be stored, and the mapping and layout they need. */
interface PreparedEdits {
  readonly mapping: Mapping
  /** Layout of the whole table. */
  readonly layout: TableLayout
  readonly fields: EditedFields
  readonly batch: RowBatch
  readonly accepted: readonly DocumentEdit[]
  readonly refused: ReadonlyMap<number, string>
}

/** Created and dropped by each edit, on the writer connection. */
const STAGE = 'edited_rows'

/**
 * Changes one field of documents in place, so that rows keep their positions. Sources are appended to the source file
 * and synced; extents and columns are updated. Runs inside the transaction of `connection`. Calls `onWrite` before the
 * first byte is written.
 */
export async function editDocuments(
  connection: DuckDBConnection,
  table: IndexTable,
  path: string,
  edits: readonly DocumentEdit[],
  onWrite: () => void | Promise<void>,
  turn: Turn,
): Promise<EditOutcome> {
  const prepared = await prepare(table.definition, path, edits, turn)
  const { mapping, layout: wider, fields, batch, accepted, refused } = prepared
  if (accepted.length === 0) return { table, refused }
  const layout = withSeveral(wider, batch.several)
  const stage = withSeveral(fields.layout, batch.several)
  const { sourceEnd } = table.definition
  const rows = batch.settle(stage, (row) => accepted[row]?.seq ?? -1, sourceEnd)
  await onWrite()
  await table.sources.write(sourceEnd, [rows.sources])
  const definition = await widen(connection, table.definition, mapping, layout)
  const columns = stage.columns.map(({ name, sqlType }) => `${name} ${sqlType}`)
  await connection.run(`CREATE TEMP TABLE ${STAGE} (${columns.join(', ')})`)
  // Wait for both even if one fails: the transaction must not end while rows are being appended.
  const outcomes = await Promise.allSettled([table.sources.sync(), rows.appendTo(connection, STAGE)])
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  await update(connection, definition.table, editedColumns(fields, stage), accepted)
  await connection.run(`DROP TABLE ${STAGE}`)
  const stale = accepted.reduce((sum, { size }) => sum + size, definition.sourceStale)
  const parts = await table.parts.edited(rowEdits(accepted, rows.incoming(), stage, fields))
  const changed = {
    ...definition,
    segments: recordsOf(parts),
    sourceEnd: sourceEnd + rows.sources.length,
    sourceStale: stale,
    version: definition.version + 1,
  }
  return { table: table.changed(changed, parts), refused }
}

function rowEdits(
  accepted: readonly DocumentEdit[],
  { at, sizes, fields: incoming }: IncomingRows,
  stage: TableLayout,
  { paths }: EditedFields,
): RowEdits {
  const edited = stage.fields.filter(({ path }) => paths.has(path))
  return {
    seqs: accepted.map(({ seq }) => seq),
    at,
    sizes,
    fields: edited.flatMap((field) => {
      const values = incoming.get(field.path)
      return values ? [{ field, values }] : []
    }),
  }
}

async function widen(
  connection: DuckDBConnection,
  definition: IndexDefinition,
  mapping: Mapping,
  layout: TableLayout,
): Promise<IndexDefinition> {
  if (mapping === definition.mapping && layout === definition.layout) return definition
  await addColumns(connection, definition, layout)
  return { ...definition, mapping, layout }
}

/** Updates by row number. The bounds let the scan skip other rows. */
async function update(
  connection: DuckDBConnection,
  table: string,
  columns: readonly string[],
  edits: readonly DocumentEdit[],
): Promise<void> {
  let first = Number.POSITIVE_INFINITY
  let last = 0
  for (const { seq } of edits) {
    first = Math.min(first, seq)
    last = Math.max(last, seq)
  }
  const assignments = ['_at', '_size', ...columns].map((name) => `${name} = s.${name}`).join(', ')
  const near = `d._seq BETWEEN ${first} AND ${last}`
  await connection.run(`UPDATE ${table} d SET ${assignments} FROM ${STAGE} s WHERE d._seq = s._seq AND ${near}`)
}

/** Prepares the edits, again with a wider mapping if the field is new, as a bulk load does. */
async function prepare(
  definition: IndexDefinition,
  path: string,
  edits: readonly DocumentEdit[],
  turn: Turn,
): Promise<PreparedEdits> {
  const { mapping, layout } = definition
  const known = await prepareIn(mapping, layout, path, edits, turn)
  if (known.batch.unmapped.length === 0 || isMapped(mapping, path)) return known
  const addition = inferMapping(edits.map(partOf))
  const wider = extendMapping(mapping, addition, 'keep')
  return prepareIn(wider, layoutOf(wider, layout), path, edits, turn)
}

/** A document with nothing but the changed field. */
const partOf = ({ change: { keys, value } }: DocumentEdit): JsonObject => partialDocument(keys, JSON.parse(value))

async function prepareIn(
  mapping: Mapping,
  layout: TableLayout,
  path: string,
  edits: readonly DocumentEdit[],
  turn: Turn,
): Promise<PreparedEdits> {
  const fields = editedFields(mapping, layout, path)
  const batch = new RowBatch(mapping, fields.layout, edits.length)
  const refused = new Map<number, string>()
  const accepted: DocumentEdit[] = []
  const add = (edit: DocumentEdit): void => {
    try {
      const { text, ambiguous } = edit.change
      // Parsing the whole document would take longer than everything else.
      batch.add('', { source: ambiguous || fields.needsWhole ? parseObject(text) : partOf(edit), text })
      accepted.push(edit)
    } catch (error) {
      if (!(error instanceof UnreadableValue)) throw error
      refused.set(edit.seq, error.message)
    }
  }
  await inTurns(edits, add, turn)
  return { mapping, layout, fields, batch, accepted, refused }
}
