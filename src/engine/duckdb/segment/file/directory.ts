import { HEADER_BYTES, PIECE, padded } from './file-format.ts'
import { type ArrayType, elementBytes, isArrayType, isTypedArray, type TypedArray } from './typed-arrays.ts'

/** Directory of a segment file, as JSON. */
export interface Directory {
  readonly arrays: readonly StoredArray[]
  readonly tree: Node
}

export interface StoredArray {
  readonly type: ArrayType
  readonly offset: number
  /** Number of elements. */
  readonly length: number
  /** One per PIECE bytes. */
  readonly crcs: readonly number[]
}

/**
 * A value of the tree. Plain objects are wrapped in `fields`, so that no key of theirs is mistaken for a reference to an
 * array, or for a number that JSON does not have.
 */
type Node =
  | string
  | number
  | boolean
  | null
  | readonly Node[]
  | { readonly fields: Readonly<Record<string, Node>> }
  | { readonly array: number }
  | { readonly number: SpecialNumber }

const SPECIAL_NUMBERS = { NaN: Number.NaN, Infinity: Infinity, '-Infinity': -Infinity, '-0': -0 } as const
type SpecialNumber = keyof typeof SPECIAL_NUMBERS

/** Far more than a segment needs. */
const MAX_DEPTH = 64

/** A member of the data whose arrays were written before. */
export class StoredMember {
  readonly tree: Node

  constructor(tree: Node) {
    this.tree = tree
  }
}

/**
 * Converts plain data to a tree, and adds its arrays to `arrays`, numbered from `first` on. An array that occurs twice is
 * added once.
 */
export function treeOf(data: unknown, arrays: Map<TypedArray, number>, first: number, depth = 0): Node {
  if (depth > MAX_DEPTH) throw new TypeError('the data is nested too deeply')
  if (data === null || typeof data === 'string' || typeof data === 'boolean') return data
  if (typeof data === 'number') {
    if (Object.is(data, -0)) return { number: '-0' }
    return Number.isFinite(data) ? data : { number: String(data) as SpecialNumber }
  }
  if (data instanceof StoredMember) return data.tree
  if (isTypedArray(data)) {
    const index = arrays.get(data) ?? first + arrays.size
    arrays.set(data, index)
    return { array: index }
  }
  if (Array.isArray(data)) return data.map((item) => treeOf(item, arrays, first, depth + 1))
  if (typeof data !== 'object' || !isPlain(data)) {
    throw new TypeError('the data contains a value that is neither plain nor a typed array')
  }
  // Like JSON: a property that is undefined is absent.
  const entries = Object.entries(data).filter(([, value]) => value !== undefined)
  return { fields: Object.fromEntries(entries.map(([key, value]) => [key, treeOf(value, arrays, first, depth + 1)])) }
}

/** Converts a tree to plain data again. */
export function dataOf(node: Node, arrayAt: (index: number) => unknown): unknown {
  if (node === null || typeof node !== 'object') return node
  if (isList(node)) return node.map((item) => dataOf(item, arrayAt))
  if ('array' in node) return arrayAt(node.array)
  if ('number' in node) return SPECIAL_NUMBERS[node.number]
  return Object.fromEntries(Object.entries(node.fields).map(([key, value]) => [key, dataOf(value, arrayAt)]))
}

/** Returns the node at a path of property names and list positions, or undefined. */
export function nodeAt(tree: Node, path: readonly (string | number)[]): Node | undefined {
  let node = tree
  for (const step of path) {
    const children = childrenOf(node)
    if (children === undefined || !Object.hasOwn(children, step)) return undefined
    const next = (children as Readonly<Record<string | number, Node>>)[step]
    if (next === undefined || (isList(node) && typeof step !== 'number')) return undefined
    node = next
  }
  return node
}

/** Adds the numbers of the arrays in a subtree to `found`. */
export function collectArrays(node: Node, found: Set<number>): Set<number> {
  if (node !== null && typeof node === 'object' && 'array' in node) found.add(node.array)
  for (const child of Object.values(childrenOf(node) ?? {})) collectArrays(child, found)
  return found
}

export const arrayBytes = ({ type, length }: StoredArray): number => length * elementBytes(type)

/**
 * Checks everything that reading relies on: the arrays are back to back between the header and the directory, so their
 * total size is the size of the file, and the tree refers to these arrays only.
 */
export function isDirectory(value: unknown, offset: number): value is Directory {
  if (!isRecord(value) || !Array.isArray(value.arrays)) return false
  let end = HEADER_BYTES
  for (const array of value.arrays as unknown[]) {
    if (!isStoredArray(array) || array.offset !== end) return false
    end += padded(arrayBytes(array))
    if (!(end <= offset) || array.crcs.length !== Math.ceil(padded(arrayBytes(array)) / PIECE)) return false
  }
  return end === offset && isNode(value.tree, value.arrays.length, 0)
}

const isStoredArray = (value: unknown): value is StoredArray =>
  isRecord(value) &&
  isArrayType(value.type) &&
  isCount(value.offset) &&
  isCount(value.length) &&
  Array.isArray(value.crcs) &&
  value.crcs.every(isCount)

function isNode(value: unknown, arrays: number, depth: number): value is Node {
  if (depth > MAX_DEPTH) return false
  if (value === null || typeof value !== 'object') return value !== undefined
  if (Array.isArray(value)) return value.every((item) => isNode(item, arrays, depth + 1))
  const [key, ...others] = Object.keys(value)
  if (others.length > 0 || !isRecord(value)) return false
  if (key === 'array') return isCount(value.array) && value.array < arrays
  if (key === 'number') return typeof value.number === 'string' && Object.hasOwn(SPECIAL_NUMBERS, value.number)
  return (
    key === 'fields' && isRecord(value.fields) && Object.values(value.fields).every((n) => isNode(n, arrays, depth + 1))
  )
}

function childrenOf(node: Node): readonly Node[] | Readonly<Record<string, Node>> | undefined {
  if (node === null || typeof node !== 'object') return undefined
  if (isList(node)) return node
  return 'fields' in node ? node.fields : undefined
}

function isPlain(data: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(data)
  return prototype === Object.prototype || prototype === null
}

const isList = (node: Node): node is readonly Node[] => Array.isArray(node)

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
