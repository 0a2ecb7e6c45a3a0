import type { DuckDBValue } from '@duckdb/node-api'
import type { Json, JsonObject } from '../../../model/json/document.ts'
import type { Mapping } from '../../../model/mapping.ts'
import { rawAt } from '../../../query/value/stored-value.ts'
import { readField } from '../columns/document-columns.ts'
import { buildTree, type DocumentLeaf, type DocumentNode } from '../columns/document-tree.ts'
import { columnsOf, layoutOf, type TableLayout } from '../index/table-layout.ts'
import { SegmentBuilder } from './build/segment-builder.ts'
import { plainValues } from './incoming-column.ts'
import type { IncomingField, IncomingRows } from './incoming-rows.ts'
import { LiveRows } from './live-rows.ts'
import type { Part } from './part.ts'
import { type SegmentData, segmentOf } from './segment-data.ts'
import { Tail } from './tail/tail.ts'

/** Size of the made-up source of each row. */
export const ROW_BYTES = 100

/** Reads documents as the engine does. Identifiers are `d0`, `d1` and so on. */
export function incomingRows(
  mapping: Mapping,
  layout: TableLayout,
  documents: readonly JsonObject[],
  firstSeq = 0,
): IncomingRows {
  const count = documents.length
  const seqs = documents.map((_, i) => firstSeq + i)
  const fields = new Map<string, IncomingField>()
  for (const leaf of leavesOf(buildTree(mapping, layout).root)) {
    const field = readColumns(leaf, documents)
    if (field) fields.set(leaf.field.path, field)
  }
  const ids = plainValues(seqs.map((seq) => `d${seq}`))
  return { count, firstSeq, ids, at: seqs.map((s) => s * ROW_BYTES), sizes: seqs.map(() => ROW_BYTES), fields }
}

const leavesOf = (node: DocumentNode): readonly DocumentLeaf[] =>
  node.leaf ? [node.leaf] : [...node.children.values()].flatMap(leavesOf)

function readColumns({ field, values }: DocumentLeaf, documents: readonly JsonObject[]): IncomingField | undefined {
  const columns = columnsOf(field.type, field.column).map(() => documents.map((): DuckDBValue => null))
  const several = documents.map((): DuckDBValue => null)
  let isEmpty = true
  for (const [row, document] of documents.entries()) {
    const raw: Json | undefined = rawAt(document, field.path)
    if (raw === undefined || raw === null || !readField(field, raw, values)) continue
    isEmpty = false
    for (const [i, column] of columns.entries()) column[row] = values.single[i] ?? null
    several[row] = values.several ?? null
  }
  if (isEmpty) return undefined
  const plain = { columns: columns.map(plainValues) }
  return several.every((value) => value === null) ? plain : { ...plain, several: plainValues(several) }
}

/** The documents as rows of a tail. `copy_to` is ignored. */
export function tailPart(mapping: Mapping, documents: readonly JsonObject[], firstSeq = 0): Part {
  const layout = layoutOf(mapping)
  const tail = new Tail(layout, firstSeq)
  // Several writes, so that columns grow and change while they are filled.
  for (let at = 0, size = 1; at < documents.length; at += size, size *= 3) {
    tail.append(incomingRows(mapping, layout, documents.slice(at, at + size), firstSeq + at), at)
  }
  return tail.view(documents.length, LiveRows.all)
}

/** Builds a segment of parts that are in memory. */
export function buildSegment(
  parts: readonly Part[],
  layout: TableLayout,
  range: { readonly firstSeq: number; readonly endSeq: number },
): SegmentData {
  const builder = new SegmentBuilder(layout, range)
  builder.arrange(parts)
  const columns = builder.fields.flatMap((field) => builder.column(field, parts) ?? [])
  const [ids, seqs, extents] = [builder.identifiers(parts), builder.numbering(parts), builder.extents(parts)]
  return { ...builder.rest, columns, ids, seqs, extents }
}

/** The documents as a segment, whose rows are in another order if there is a point or a shape. */
export function segmentPart(mapping: Mapping, documents: readonly JsonObject[], firstSeq = 0): Part {
  const tail = tailPart(mapping, documents, firstSeq)
  const range = { firstSeq, endSeq: firstSeq + documents.length }
  return segmentOf(buildSegment([tail], layoutOf(mapping), range), LiveRows.all)
}

/** The first half of the documents as a segment, the others as a tail. */
export function bothParts(mapping: Mapping, documents: readonly JsonObject[]): readonly [Part, Part] {
  const half = documents.length >> 1
  return [segmentPart(mapping, documents.slice(0, half)), tailPart(mapping, documents.slice(half), half)]
}

/** A copy as an object that can be spread. */
export const plainPart = (part: Part): Part => ({
  rows: part.rows,
  live: part.live,
  ...(part.sortedBy === undefined ? {} : { sortedBy: part.sortedBy }),
  column: (field) => part.column(field),
  ids: part.ids,
  seqs: part.seqs,
  extents: part.extents,
})
