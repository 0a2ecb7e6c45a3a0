import type { JsonObject } from '../../../model/document.ts'
import type { Mapping } from '../../../model/mapping.ts'
import { Turn } from '../../../turn.ts'
import type { WriteOperation } from '../../engine.ts'
import type { IndexCatalog } from '../catalog/index-catalog.ts'
import type { ClusterIndex } from '../catalog/index-listing.ts'
import { type CheckNode, checkTree } from './check-tree.ts'
import { type CheckedDocument, DocumentCheck } from './document-check.ts'
import { learnFields } from './dynamic-fields.ts'
import { rewriteNumbers } from './written-numbers.ts'

/** What an operation sends beside its line, or why it is not carried out. */
export type Checked = { readonly refusal: string } | { readonly text: (() => string) | undefined }

const trees = new WeakMap<Mapping, CheckNode>()

function treeOf(mapping: Mapping): CheckNode {
  const known = trees.get(mapping)
  if (known !== undefined) return known
  const tree = checkTree(mapping)
  trees.set(mapping, tree)
  return tree
}

/** The operations as they came, for an index whose documents are the cluster's business alone. */
export const unchecked = (operations: readonly WriteOperation[]): readonly Checked[] =>
  operations.map((operation) => ({ text: textOf(operation) }))

/**
 * The operations for an index made here: documents that do not fit are refused as the embedded engine does it, and the
 * mapping has the fields they bring before they are sent.
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

/** The JSON of the document or of the changes; asked for when it is sent, since many texts at once take memory. */
function textOf(operation: WriteOperation): (() => string) | undefined {
  if (operation.kind === 'delete') return undefined
  if (operation.kind === 'update') return () => JSON.stringify(operation.doc)
  return () => operation.text ?? JSON.stringify(operation.source)
}
