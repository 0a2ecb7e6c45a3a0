import type { JsonObject } from '../../model/document.ts'
import type { Mapping } from '../../model/mapping.ts'
import { type CheckNode, checkTree } from './check-tree.ts'
import type { WireObject } from './cluster-client.ts'
import { DocumentCheck } from './document-check.ts'
import { learnFields } from './dynamic-fields.ts'
import type { IndexCatalog } from './index-catalog.ts'
import { printWire } from './wire-json.ts'
import { rewriteNumbers } from './written-numbers.ts'

/** The text of a part of a document as it is sent, or why the index does not take it. */
export type CheckedPart = { readonly text: string } | { readonly refused: string }

const trees = new WeakMap<Mapping, CheckNode>()

function treeOf(mapping: Mapping): CheckNode {
  const tree = trees.get(mapping) ?? checkTree(mapping)
  trees.set(mapping, tree)
  return tree
}

/**
 * Parts of documents of one index before they are sent, in order. In an index made here the mapping gets the field
 * first where it lacks it, as a load would bring it, and values that do not fit are refused as in a load.
 */
export async function checkParts(
  catalog: IndexCatalog,
  index: string,
  parts: readonly WireObject[],
): Promise<readonly CheckedPart[]> {
  const target = await catalog.target(index)
  if (target === undefined || !target.ours) return parts.map((part) => ({ text: printWire(part) }))
  const first = look(target.mapping, parts)
  const unmapped = first.flatMap(({ unmapped, source }) => (unmapped ? [source] : []))
  if (unmapped.length === 0) return first.map(({ checked }) => checked)
  const wider = await learnFields(catalog, target, unmapped)
  return look(wider.mapping, parts).map(({ checked }) => checked)
}

function look(mapping: Mapping, parts: readonly WireObject[]) {
  const tree = treeOf(mapping)
  const check = new DocumentCheck(tree)
  return parts.map((part) => {
    const text = printWire(part)
    // Integers beyond 2^53 are looked at in the text.
    const source = JSON.parse(text) as JsonObject
    const { refusal, unmapped, rewrite } = check.look(source, () => text)
    const checked: CheckedPart =
      refusal === undefined ? { text: rewrite ? rewriteNumbers(text, tree) : text } : { refused: refusal }
    return { checked, unmapped, source }
  })
}
