import type { WireJson, WireObject } from '../../../cluster-client/cluster-client.ts'
import { printWire } from '../../../cluster-client/wire-json.ts'
import { mergeDocument, parseObject } from '../../../model/json/json-object.ts'
import type { Mapping } from '../../../model/mapping.ts'
import type { IndexCatalog } from '../catalog/index-catalog.ts'
import { type CheckNode, checkTree } from '../write/check-tree.ts'
import { DocumentCheck } from '../write/document-check.ts'
import { learnFields } from '../write/dynamic-fields.ts'
import { rewriteNumbers } from '../write/written-numbers.ts'

/** A document and the partial document to merge into it. */
interface DocumentPart {
  readonly source: WireObject
  readonly part: WireObject
}

/** The text to send, for the part or the whole document; or why the index rejects it. */
type CheckedPart = { readonly text: string; readonly isWhole: boolean } | { readonly refused: string }

const trees = new WeakMap<Mapping, CheckNode>()

function treeOf(mapping: Mapping): CheckNode {
  const tree = trees.get(mapping) ?? checkTree(mapping)
  trees.set(mapping, tree)
  return tree
}

/**
 * Checks parts of documents of one index before they are sent. Returns results in order. For an index created by
 * Periplus, a missing field is first added to the mapping, and values that do not match are rejected, as in a load.
 */
export async function checkParts(
  catalog: IndexCatalog,
  index: string,
  parts: readonly DocumentPart[],
): Promise<readonly CheckedPart[]> {
  const target = await catalog.target(index)
  if (target === undefined || !target.ours) return parts.map((one) => print(one))
  const first = look(target.mapping, parts)
  const unmapped = first.flatMap(({ unmapped, source }) => (unmapped ? [source] : []))
  if (unmapped.length === 0) return first.map(({ checked }) => checked)
  const wider = await learnFields(catalog, target, unmapped)
  return look(wider.mapping, parts).map(({ checked }) => checked)
}

function look(mapping: Mapping, parts: readonly DocumentPart[]) {
  const tree = treeOf(mapping)
  const check = new DocumentCheck(tree)
  return parts.map((one) => {
    const text = printWire(one.part)
    // Integers beyond 2^53 are checked in the text.
    const source = parseObject(text)
    const { refusal, unmapped, rewrite } = check.look(source, () => text)
    const checked = refusal === undefined ? print(one, rewrite ? tree : undefined) : { refused: refusal }
    return { checked, unmapped, source }
  })
}

/**
 * Serializes a part. The cluster reformats the numbers of a partial document; if that would change a number, the whole
 * document is sent.
 */
function print({ source, part }: DocumentPart, tree?: CheckNode): CheckedPart {
  const isWhole = holdsAwkwardNumber(part)
  const text = printWire(isWhole ? mergeDocument(source, part) : part)
  return { text: tree === undefined ? text : rewriteNumbers(text, tree), isWhole }
}

/**
 * True if a number is reformatted by clusters with an exponent (`1.0E-4`), which is a different text in a keyword
 * field.
 */
function holdsAwkwardNumber(value: WireJson): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(holdsAwkwardNumber)
  if (typeof value !== 'number' || value === 0) return false
  const size = Math.abs(value)
  return Number.isInteger(value) ? size >= 1e21 : size < 1e-3 || size >= 1e7
}
