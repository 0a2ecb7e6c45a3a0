import type { Json, JsonObject } from '../../../model/document.ts'
import { parseRewritable } from '../../../model/exact-json.ts'
import { readableFormats } from '../../../query/date/field-date.ts'
import type { Field } from '../../../query/schema/field.ts'
import type { CheckNode } from './check-tree.ts'

/** `JSON.rawJSON` is in the runtime but not yet in TypeScript's library. */
const { rawJSON: rawJson } = JSON as unknown as { rawJSON(text: string): Json }

const UNUSUAL = /[\d.][eE][+-]?\d|\.\d*0[\s,}\]]|[^\d.]-0[\s,}\]]|\.\d{15}/

/**
 * The JSON of a document with the same values, written so that a cluster reads numbers as we do. It reads a number in a
 * text or date field as it is written: `5.0` would be another keyword than `5`, `1e3` no date. And where the formats of
 * a date begin with another one than the time since 1970, it takes the number 2024 for a year and most times before
 * 1970 for none: `2024.0` can only be milliseconds.
 */
export function rewriteNumbers(text: string, root: CheckNode): string {
  return JSON.stringify(withDates(parseRewritable(text), root))
}

/** Whether a number of the text could be written shorter, or has more digits than a number holds. */
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

/** `key` may have dots. */
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

const clear = (value: number): Json => rawJson(`${value}.0`)

/** Whether the cluster would take a number in a date field for something else than the time since 1970. */
export function isMistakable({ type, format }: Field, value: number): boolean {
  if (type !== 'DATE' || !Number.isSafeInteger(value)) return false
  const formats = readableFormats(format)
  const epoch = formats.findIndex(({ kind }) => kind === 'epoch_millis' || kind === 'epoch_second')
  if (epoch <= 0) return false
  const isYear = value < 0 || (value >= 1000 && value <= 9999)
  return formats.slice(0, epoch).some(({ kind }) => kind === 'pattern' || isYear)
}
