import type { Json, JsonObject } from '../../../model/json/document.ts'
import { parseRewritable } from '../../../model/json/exact-json.ts'
import { asObject } from '../../../model/json/json-object.ts'
import { readableFormats } from '../../../query/date/field-date.ts'
import type { Field } from '../../../query/schema/field.ts'
import type { CheckNode } from './check-tree.ts'

const UNUSUAL = /[\d.][eE][+-]?\d|\.\d*0[\s,}\]]|[^\d.]-0[\s,}\]]|\.\d{15}/

/**
 * Rewrites the JSON of a document so that a cluster reads its numbers like we do. In text and date fields the notation
 * of a number matters to a cluster: `5.0` and `5` are different keywords, and `1e3` is not a date. If the first format
 * of a date is not an epoch format, it reads the number 2024 as a year and rejects most times before 1970; `2024.0` can
 * only be milliseconds.
 */
export function rewriteNumbers(text: string, root: CheckNode): string {
  return JSON.stringify(withDates(asObject(parseRewritable(text)), root))
}

/** True if a number has a shorter notation, or more digits than a double can hold. */
export const hasUnusualNumber = (text: string): boolean => UNUSUAL.test(text)

function withDates(object: JsonObject, node: CheckNode): JsonObject {
  let changed: Record<string, Json> | undefined
  for (const [key, value] of Object.entries(object)) {
    const rewritten = withDatesAt(value, key, node)
    if (rewritten === value) continue
    changed ??= { ...object }
    changed[key] = rewritten
  }
  return changed ?? object
}

/** `key` may contain dots. */
function withDatesAt(value: Json, key: string, node: CheckNode): Json {
  const child = node.children.get(key)
  if (child) return rewrite(value, child)
  const dot = key.indexOf('.')
  const parent = dot > 0 ? node.children.get(key.slice(0, dot)) : undefined
  return parent && !parent.opaque && !parent.leaf ? withDatesAt(value, key.slice(dot + 1), parent) : value
}

function rewrite(value: Json, node: CheckNode): Json {
  if (node.opaque) return value
  if (Array.isArray(value)) {
    const items = value.map((item: Json) => rewrite(item, node))
    return items.some((item, i) => item !== value[i]) ? items : value
  }
  if (typeof value === 'number' && node.leaf !== undefined) return isMistakable(node.leaf, value) ? clear(value) : value
  const isObject = typeof value === 'object' && value !== null
  return isObject && !node.leaf ? withDates(value as JsonObject, node) : value
}

const clear = (value: number): Json => JSON.rawJSON(`${value}.0`)

/** True if the cluster would not read a number in a date field as the time since 1970. */
export function isMistakable({ type, format }: Field, value: number): boolean {
  if (type !== 'DATE' || !Number.isSafeInteger(value)) return false
  const formats = readableFormats(format)
  const epoch = formats.findIndex(({ kind }) => kind === 'epoch_millis' || kind === 'epoch_second')
  if (epoch <= 0) return false
  const isYear = value < 0 || (value >= 1000 && value <= 9999)
  return formats.slice(0, epoch).some(({ kind }) => kind === 'pattern' || isYear)
}
