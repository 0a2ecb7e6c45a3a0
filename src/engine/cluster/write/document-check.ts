import type { Json, JsonObject } from '../../../model/json/document.ts'
import { holdsLargeInteger, withExactIntegers } from '../../../model/json/exact-json.ts'
import { type Field, isGeo } from '../../../query/schema/field.ts'
import { readStoredValues } from '../../../query/value/stored-value.ts'
import { isMisplaced } from '../condition/place-check.ts'
import type { CheckNode } from './check-tree.ts'
import { hasUnusualNumber, isMistakable } from './written-numbers.ts'

/** Result of checking a document before it is sent. */
export interface CheckedDocument {
  /** Why it does not match the mapping, worded like the embedded engine; undefined if it does. */
  readonly refusal?: string
  /** True if it has unmapped keys in objects that accept new ones. */
  readonly unmapped: boolean
  /** True if it has a number that the cluster would read differently (see `rewriteNumbers`). */
  readonly rewrite: boolean
}

/**
 * Checks documents like the embedded engine when it stores them, so that both accept and reject the same ones. A
 * cluster accepts some more texts (`""` as false, `5d` as a number) and cannot be configured otherwise.
 */
export class DocumentCheck {
  readonly #root: CheckNode
  #unmapped = false
  /** A number was found in a text or date field. */
  #sawNumber = false
  #sawMistakable = false

  constructor(root: CheckNode) {
    this.#root = root
  }

  /** `text`: the JSON of the document, read if the notation of a number matters. */
  look(source: JsonObject, text: () => string): CheckedDocument {
    this.#unmapped = false
    this.#sawNumber = false
    this.#sawMistakable = false
    try {
      this.#walk(source, this.#root, text)
    } catch (error) {
      if (!(error instanceof Unfit)) throw error
      return { refusal: error.message, unmapped: false, rewrite: false }
    }
    const rewrite = this.#sawMistakable || (this.#sawNumber && hasUnusualNumber(text()))
    return { unmapped: this.#unmapped, rewrite }
  }

  #walk(object: JsonObject, node: CheckNode, text: () => string): void {
    for (const key in object) {
      const value = object[key]
      if (value === null || value === undefined) continue
      const child = node.children.get(key)
      if (child) this.#visit(value, child, text)
      else this.#visitUnknown(key, value, node, text)
    }
  }

  #visit(value: Json, node: CheckNode, text: () => string): void {
    if (node.opaque) return
    if (node.leaf) {
      this.#read(node.leaf, value, text)
      for (const target of node.copyTo) this.#read(target, value, text)
    } else if (isList(value)) {
      for (const item of value) if (item !== null) this.#visit(item, node, text)
    } else if (isObject(value)) {
      this.#walk(value, node, text)
    } else {
      throw new Unfit(`object mapping for [${node.path}] tried to parse as object, but found a concrete value`)
    }
  }

  /** A key with dots is equivalent to nested objects. */
  #visitUnknown(key: string, value: Json, node: CheckNode, text: () => string): void {
    const [head = '', ...rest] = key.split('.')
    const child = rest.length > 0 ? node.children.get(head) : undefined
    if (child && !child.leaf) {
      this.#visit({ [rest.join('.')]: value }, child, text)
      return
    }
    if (node.dynamic === 'strict') {
      const place = node.path === '' ? '_doc' : node.path
      throw new Unfit(`mapping set to strict, dynamic introduction of [${key}] within [${place}] is not allowed`)
    }
    if (node.dynamic === true) this.#unmapped = true
  }

  #read(field: Field, value: Json, text: () => string): void {
    if (isGeo(field.type)) {
      if (isMisplaced(value))
        throw new Unfit(`${describe(field, value)}, which is outside the valid range of coordinates`)
      return
    }
    const isText = field.type === 'KEYWORD' || field.type === 'TEXT'
    if (isText && typeof value === 'string') return
    if (isText || field.type === 'DATE') this.#notice(field, value)
    const exact = holdsLargeInteger(value) ? exactValues(field.path, text()) : value
    if (readStoredValues(field, exact).length === countScalars(exact)) return
    throw new Unfit(field.type === 'TEXT' ? 'a text field cannot hold an object' : describe(field, exact))
  }

  #notice(field: Field, value: Json): void {
    if (isList(value)) {
      for (const item of value) this.#notice(field, item)
    } else if (typeof value === 'number') {
      this.#sawNumber = true
      if (isMistakable(field, value)) this.#sawMistakable = true
    }
  }
}

/** The document does not match the mapping. */
class Unfit extends Error {}

/** Returns all values at a path, with integers as strings of digits. */
function exactValues(path: string, text: string): Json {
  const collect = (value: Json, rest: string): readonly Json[] => {
    if (isList(value)) return value.flatMap((item) => collect(item, rest))
    if (rest === '') return [value]
    if (!isObject(value)) return []
    return Object.entries(value).flatMap(([key, member]) =>
      key === rest
        ? collect(member, '')
        : rest.startsWith(`${key}.`)
          ? collect(member, rest.slice(key.length + 1))
          : [],
    )
  }
  const values = collect(withExactIntegers(text), path)
  return values.length === 1 ? (values[0] ?? null) : values
}

function countScalars(value: Json): number {
  if (value === null) return 0
  return isList(value) ? value.reduce((count: number, item) => count + countScalars(item), 0) : 1
}

function describe(field: Field, value: Json): string {
  const shown = JSON.stringify(value)
  const cut = shown.length > 100 ? `${shown.slice(0, 100)}...` : shown
  const format = field.format === undefined ? '' : ` with format [${field.format}]`
  return `failed to parse field [${field.path}] of type [${field.type.toLowerCase()}]${format}, got ${cut}`
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
