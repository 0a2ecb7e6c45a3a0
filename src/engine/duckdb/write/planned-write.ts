import { extendMapping } from '../../../mapping/extend-mapping.ts'
import { newFields } from '../../../mapping/learn-fields.ts'
import type { JsonObject } from '../../../model/json/document.ts'
import type { Mapping } from '../../../model/mapping.ts'
import { BodyDocumentWrite } from '../../body-document.ts'
import type { WriteOperation } from '../../engine.ts'
import { RowBatch } from '../columns/row-batch.ts'
import { NOT_IN_BODY, type ReadRows, type RowsToRead } from '../columns/row-reading.ts'
import { StringHeap } from '../columns/string-heap.ts'
import type { IndexDefinition } from '../index/index-definition.ts'
import { layoutOf, type TableLayout, withSeveral } from '../index/table-layout.ts'
import { onlyAdd, planAdditions, planWrite, type WritePlan } from './write-plan.ts'

/** Minimum number of documents that justifies passing them to the worker thread. */
const MANY = 500

/** A write prepared for the table: the rows it adds, and the mapping and layout they need. */
export interface PlannedWrite {
  /** The definition it was planned against. */
  readonly base: IndexDefinition
  readonly mapping: Mapping
  readonly layout: TableLayout
  readonly batch: RowBatch
  readonly plan: WritePlan
}

interface PlanOptions {
  /** Maximum number of fields of an index. */
  readonly mostFields: number
  /** Stored documents with the ids of the write. If absent, none are stored and the ids are distinct. */
  readonly stored?: ReadonlyMap<string, JsonObject | undefined>
  readonly read?: ReadRows | undefined
}

/** True if the index has not changed since. */
export const fits = ({ base }: PlannedWrite, { layout, mapping }: IndexDefinition): boolean =>
  base.layout === layout && base.mapping === mapping

/** Plans a write. Plans it again with a wider mapping if documents have fields that it lacks. */
export function planIn(
  base: IndexDefinition,
  operations: readonly WriteOperation[],
  { mostFields, stored, read }: PlanOptions,
): PlannedWrite {
  const planRows = (batch: RowBatch): WritePlan =>
    !stored && onlyAdd(operations)
      ? planAdditions(operations, batch)
      : planWrite(operations, stored ?? new Map(), batch)
  const { mapping, layout } = base
  const body = bodyOf(operations)
  const batch = new RowBatch(mapping, layout, operations.length, body, read)
  const plan = planRows(batch)
  const addition = batch.unmapped.length === 0 ? undefined : newFields(mapping, batch.unmapped, mostFields)
  if (addition === undefined) return { base, mapping, layout: withSeveral(layout, batch.several), batch, plan }
  const wider = extendMapping(mapping, addition, 'keep')
  const widerLayout = layoutOf(wider, layout)
  const widerBatch = new RowBatch(wider, widerLayout, operations.length, body)
  const again = planRows(widerBatch)
  return { base, mapping: wider, layout: withSeveral(widerLayout, widerBatch.several), batch: widerBatch, plan: again }
}

/**
 * Returns the documents of a large write that only adds documents, with a copy of their body that can be transferred.
 */
export function rowsToRead(operations: readonly WriteOperation[]): (() => RowsToRead) | undefined {
  const body = operations.length < MANY || !onlyAdd(operations) ? undefined : bodyOf(operations)
  if (!body) return undefined
  return () => {
    const starts = new Uint32Array(operations.length).fill(NOT_IN_BODY)
    for (const [row, operation] of operations.entries()) {
      if (operation instanceof BodyDocumentWrite && operation.document.body === body) {
        starts[row] = operation.document.start
      }
    }
    const { memory, end } = StringHeap.of(body)
    return { bytes: memory, end, starts }
  }
}

/** Body of the documents. All documents of a write come from one request. */
function bodyOf(operations: readonly WriteOperation[]): Buffer | undefined {
  for (const operation of operations) if (operation instanceof BodyDocumentWrite) return operation.document.body
  return undefined
}
