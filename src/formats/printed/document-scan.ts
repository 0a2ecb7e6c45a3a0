import { canonicalNumberEnd, canonicalStringEnd } from './canonical-token.ts'

interface ScannedPaths {
  /** Paths whose values are wanted; their position is the slot of the value. */
  readonly wanted: readonly string[]
  /** Path that is cut out, as `removeAt` does. */
  readonly cut?: string | undefined
  /** Keys that documents may not have at the top level. */
  readonly reserved?: readonly string[]
}

/** A step of the wanted paths. */
interface PathNode {
  slot: number
  isCut: boolean
  readonly children: Map<string, PathNode>
}

/** The keys that objects at one path have. */
interface KeyTable {
  /** The step taken last at the start of an object. */
  first: KeyStep | undefined
  readonly steps: Map<string, KeyStep>
  /** What the objects are among the wanted paths. */
  readonly node: PathNode | undefined
  readonly isTop: boolean
}

interface KeyStep {
  /** `"key":` */
  readonly text: string
  readonly node: PathNode | undefined
  /** Keys of the objects that are its values, or are in arrays that are. */
  readonly inner: KeyTable
  /** The step taken last after this one: documents of an index have their keys in few orders. */
  follower: KeyStep | undefined
  /** Number of the object that had the key last. */
  seenIn: number
}

/** Maximum number of keys, since documents may have any. Documents with further ones are not scanned. */
const MOST_KEYS = 10_000
const DEEPEST = 64
const NOT_SCANNED = -1

const QUOTE = 34
const COMMA = 44
const BRACKET = 91
const BRACKET_END = 93
const LETTER_F = 102
const LETTER_N = 110
const LETTER_T = 116
const BRACE = 123
const BRACE_END = 125

/**
 * Reads the text of a document once: checks that it is printed as `JSON.stringify` prints it after parsing, so that
 * slices of it can be printed as they are, and finds wanted values. Keys are compared with those of the documents before.
 */
export class DocumentScan {
  /** Extents of the wanted values; -1 if the document has none. */
  readonly starts: Int32Array
  readonly ends: Int32Array
  /** True if a member of an object is null. Nulls in arrays do not count. */
  hasNullMember = false
  /** Extent of what is cut out, with a comma; equal if nothing is. */
  cutFrom = 0
  cutTo = 0

  readonly #top: KeyTable
  readonly #reserved: ReadonlySet<string>
  #keys = 0
  #objects = 0
  #depth = 0
  #text = ''
  /** What is cut out is all that the object read last has. */
  #isEmptied = false

  constructor({ wanted, cut, reserved = [] }: ScannedPaths) {
    this.starts = new Int32Array(wanted.length)
    this.ends = new Int32Array(wanted.length)
    this.#reserved = new Set(reserved)
    const top = newNode()
    for (const [slot, path] of wanted.entries()) nodeAt(top, path).slot = slot
    if (cut !== undefined) nodeAt(top, cut).isCut = true
    this.#top = { first: undefined, steps: new Map(), node: top, isTop: true }
  }

  /** Returns false if slices of the text cannot be used. */
  read(text: string): boolean {
    this.starts.fill(-1)
    this.hasNullMember = false
    this.cutFrom = 0
    this.cutTo = 0
    this.#depth = 0
    this.#isEmptied = false
    this.#text = text
    if (text.charCodeAt(0) !== BRACE || !text.isWellFormed()) return false
    return this.#object(0, this.#top) === text.length
  }

  /** Returns the position after the object at `from`. */
  #object(from: number, table: KeyTable): number {
    const text = this.#text
    if (text.charCodeAt(from + 1) === BRACE_END) return from + 2
    if (++this.#depth > DEEPEST) return NOT_SCANNED
    const number = ++this.#objects
    let at = from + 1
    let step: KeyStep | undefined
    let members = 0
    let isCut = false
    for (;;) {
      const began = at
      step = this.#stepAfter(step, table, at)
      if (step === undefined || step.seenIn === number) return NOT_SCANNED
      step.seenIn = number
      at = this.#value(at + step.text.length, step)
      if (at < 0) return NOT_SCANNED
      if (this.#isEmptied || step.node?.isCut === true) {
        isCut = true
        this.#isEmptied = false
        this.cutFrom = began
        this.cutTo = at
      }
      members++
      const code = text.charCodeAt(at++)
      if (code === COMMA) continue
      if (code !== BRACE_END) return NOT_SCANNED
      this.#depth--
      if (isCut) this.#settleCut(members)
      return at
    }
  }

  /** A member is cut out with its comma; if it is the only one, the whole object is cut out by the caller. */
  #settleCut(members: number): void {
    if (members === 1) this.#isEmptied = true
    else if (this.#text.charCodeAt(this.cutTo) === COMMA) this.cutTo++
    else this.cutFrom--
  }

  /** Returns the position after the value of a key. */
  #value(at: number, step: KeyStep): number {
    const { node } = step
    const end = this.#anyValue(at, step.inner)
    if (node === undefined || end < 0) return end
    if (node.slot >= 0) {
      this.starts[node.slot] = at
      this.ends[node.slot] = end
    }
    // An array may have several values of a path that goes further.
    return node.children.size > 0 && this.#text.charCodeAt(at) === BRACKET ? NOT_SCANNED : end
  }

  #anyValue(at: number, inner: KeyTable): number {
    const code = this.#text.charCodeAt(at)
    switch (code) {
      case QUOTE:
        return canonicalStringEnd(this.#text, at)
      case BRACE:
        return this.#object(at, inner)
      case BRACKET:
        return this.#array(at, inner)
      case LETTER_N:
        this.hasNullMember = true
        return this.#literal('null', at)
      case LETTER_T:
        return this.#literal('true', at)
      case LETTER_F:
        return this.#literal('false', at)
      default:
        return canonicalNumberEnd(this.#text, at)
    }
  }

  #array(from: number, inner: KeyTable): number {
    const text = this.#text
    if (text.charCodeAt(from + 1) === BRACKET_END) return from + 2
    if (++this.#depth > DEEPEST) return NOT_SCANNED
    for (let at = from + 1; ; ) {
      const hadNull = this.hasNullMember
      const isNull = text.charCodeAt(at) === LETTER_N
      at = this.#anyValue(at, inner)
      if (at < 0) return NOT_SCANNED
      if (isNull) this.hasNullMember = hadNull
      const code = text.charCodeAt(at++)
      if (code === COMMA) continue
      if (code !== BRACKET_END) return NOT_SCANNED
      this.#depth--
      return at
    }
  }

  #literal(word: string, at: number): number {
    return this.#text.startsWith(word, at) ? at + word.length : NOT_SCANNED
  }

  /** Returns the step of the key at `at`. Undefined if the document cannot be scanned. */
  #stepAfter(before: KeyStep | undefined, table: KeyTable, at: number): KeyStep | undefined {
    const usual = before === undefined ? table.first : before.follower
    if (usual !== undefined && this.#text.startsWith(usual.text, at)) return usual
    const step = this.#stepAt(table, at)
    if (before === undefined) table.first = step
    else before.follower = step
    return step
  }

  #stepAt(table: KeyTable, at: number): KeyStep | undefined {
    if (this.#text.charCodeAt(at) !== QUOTE) return undefined
    const end = canonicalStringEnd(this.#text, at)
    if (end < 0 || this.#text.charAt(end) !== ':') return undefined
    const key = this.#text.slice(at + 1, end - 1)
    const known = table.steps.get(key)
    if (known !== undefined) return known
    if (this.#keys >= MOST_KEYS || !isPlainKey(key) || (table.isTop && this.#reserved.has(key))) return undefined
    const node = table.node?.children.get(key)
    const inner = { first: undefined, steps: new Map(), node, isTop: false }
    const step = { text: `"${key}":`, node, inner, follower: undefined, seenIn: 0 }
    this.#keys++
    table.steps.set(key, step)
    return step
  }
}

/**
 * A key with a dot may be a wanted path, one of digits is printed before others, and `__proto__` is left to those who
 * know how to set it.
 */
const isPlainKey = (key: string): boolean => !/^[0-9]|[.\\]|^__proto__$/.test(key)

const newNode = (): PathNode => ({ slot: -1, isCut: false, children: new Map() })

function nodeAt(top: PathNode, path: string): PathNode {
  let node = top
  for (const key of path.split('.')) {
    let child = node.children.get(key)
    if (child === undefined) {
      child = newNode()
      node.children.set(key, child)
    }
    node = child
  }
  return node
}
