import type { JsonObject } from '../../../model/json/document.ts'
import type { Mapping } from '../../../model/mapping.ts'
import { Turn } from '../../../turn.ts'
import type { WriteOperation } from '../../engine.ts'
import type { IndexCatalog } from '../catalog/index-catalog.ts'
import type { ClusterIndex } from '../catalog/index-listing.ts'
import { type CheckNode, checkTree } from './check-tree.ts'
import { type CheckedDocument, DocumentCheck } from './document-check.ts'
import { learnFields } from './dynamic-fields.ts'
import { rewriteNumbers } from './written-numbers.ts'

/** The text to send for an operation, or why it is rejected. */
export type Checked = { readonly refusal: string } | { readonly text: (() => string) | undefined }

const trees = new WeakMap<Mapping, CheckNode>()

function treeOf(mapping: Mapping): CheckNode {
  const known = trees.get(mapping)
  if (known !== undefined) return known
  const tree = checkTree(mapping)
  trees.set(mapping, tree)
  return tree
}

/** Returns the operations unchecked, for an index not created by Periplus. */
export const unchecked = (operations: readonly WriteOperation[]): readonly Checked[] =>
  operations.map((operation) => ({ text: textOf(operation) }))

/**
 * Checks operations for an index created by Periplus. Rejects the same documents as the embedded engine, and adds new
 * fields to the mapping before the documents are sent.
 */
export async function checkOperations(
  catalog: IndexCatalog,
  index: ClusterIndex,
  operations: readonly WriteOperation[],
): Promise<readonly Checked[]> {
  const turn = new Turn()
  const checked: Checked[] = []
  const unmapped: { readonly at: number; readonly source: JsonObject }[] = []
  const look = lookerOf(index)
  for (const [at, operation] of operations.entries()) {
    const text = textOf(operation)
    const source = sourceOf(operation)
    if (text === undefined || source === undefined) checked.push({ text })
    else {
      const found = look(source, text)
      if (found.unmapped) unmapped.push({ at, source })
      checked.push(found.outcome)
    }
    if (turn.isOver) await turn.next()
  }
  if (unmapped.length === 0) return checked
  const wider = await learnFields(
    catalog,
    index,
    unmapped.map(({ source }) => source),
  )
  if (wider === index) return checked
  const lookAgain = lookerOf(wider)
  for (const { at, source } of unmapped) {
    const operation = operations[at]
    const text = operation && textOf(operation)
    if (text !== undefined) checked[at] = lookAgain(source, text).outcome
    if (turn.isOver) await turn.next()
  }
  return checked
}

function lookerOf({ mapping }: ClusterIndex) {
  const tree = treeOf(mapping)
  const check = new DocumentCheck(tree)
  return (source: JsonObject, text: () => string): { readonly outcome: Checked; readonly unmapped: boolean } => {
    const found: CheckedDocument = check.look(source, text)
    if (found.refusal !== undefined) return { outcome: { refusal: found.refusal }, unmapped: false }
    const rewritten = found.rewrite ? rewriteNumbers(text(), tree) : undefined
    return { outcome: { text: rewritten === undefined ? text : () => rewritten }, unmapped: found.unmapped }
  }
}

function sourceOf(operation: WriteOperation): JsonObject | undefined {
  if (operation.kind === 'delete') return undefined
  return operation.kind === 'update' ? operation.doc : operation.source
}

/**
 * Returns the JSON of the document or of the update. Created lazily, since many texts at once would take too much
 * memory.
 */
function textOf(operation: WriteOperation): (() => string) | undefined {
  if (operation.kind === 'delete') return undefined
  if (operation.kind === 'update') return () => JSON.stringify(operation.doc)
  return () => operation.text ?? JSON.stringify(operation.source)
}
