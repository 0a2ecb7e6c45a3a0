import type { Json, JsonObject } from '../../model/json/document.ts'
import { setOwn } from '../../model/json/json-object.ts'

/** What items contain: the Fields extension. */
export interface FieldChoice {
  /** Paths such as `properties.eo:cloud_cover`; absent: everything. */
  readonly include?: readonly string[] | undefined
  readonly exclude: readonly string[]
  /** True if `include` has the default members: `exclude` then applies to them. */
  readonly isDefault?: boolean
}

/** Members of an item if neither included nor excluded ones are named. */
export const DEFAULT_MEMBERS: readonly string[] = [
  ...['type', 'stac_version', 'id', 'geometry', 'bbox', 'links', 'assets', 'collection'],
  ...['properties.datetime', 'properties.start_datetime', 'properties.end_datetime'],
]
/** Members that clients need to tell items apart. */
const ALWAYS: readonly string[] = ['type', 'id', 'collection', 'links']

/** Returns a function that reduces an item to the chosen members. */
export function memberChooser({ include, exclude, isDefault = false }: FieldChoice): (item: JsonObject) => JsonObject {
  const kept = include === undefined ? undefined : treeOf([...include, ...ALWAYS])
  // A member that is both is included, and so is a part of an excluded one.
  const wanted = treeOf(isDefault ? [] : (include ?? []))
  const removed = exclude.filter((path) => !ALWAYS.includes(path) && nodeAt(wanted, path) === undefined)
  const cut = treeOf(removed)
  return (item) => {
    const chosen = kept === undefined ? item : keep(item, kept)
    return removed.length === 0 ? chosen : drop(chosen, cut)
  }
}

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Paths by their segments. Keys may have dots themselves: such a key is several segments. */
interface PathTree {
  /** True if a path ends here. */
  isNamed: boolean
  /** Absent if no path goes further. */
  children?: Map<string, PathTree>
}

function treeOf(paths: readonly string[]): PathTree {
  const root: PathTree = { isNamed: false }
  for (const path of paths) {
    let node = root
    for (const segment of path.split('.')) {
      node.children ??= new Map()
      const next: PathTree = node.children.get(segment) ?? { isNamed: false }
      node.children.set(segment, next)
      node = next
    }
    node.isNamed = true
  }
  return root
}

function nodeAt(tree: PathTree, path: string): PathTree | undefined {
  let node: PathTree | undefined = tree
  for (const segment of path.split('.')) node = node?.children?.get(segment)
  return node
}

function below(tree: PathTree, key: string): PathTree | undefined {
  const plain = tree.children?.get(key)
  return plain !== undefined || !key.includes('.') ? plain : nodeAt(tree, key)
}

function keep(value: JsonObject, tree: PathTree): JsonObject {
  const kept: Record<string, Json> = {}
  for (const [key, member] of Object.entries(value)) {
    const node = below(tree, key)
    if (node === undefined) continue
    if (node.isNamed) {
      setOwn(kept, key, member)
      continue
    }
    const inner = isObject(member) ? keep(member, node) : {}
    if (Object.keys(inner).length > 0) setOwn(kept, key, inner)
  }
  return kept
}

function drop(value: JsonObject, tree: PathTree): JsonObject {
  const kept: Record<string, Json> = {}
  for (const [key, member] of Object.entries(value)) {
    const node = below(tree, key)
    if (node?.isNamed) continue
    setOwn(kept, key, node !== undefined && isObject(member) ? drop(member, node) : member)
  }
  return kept
}
