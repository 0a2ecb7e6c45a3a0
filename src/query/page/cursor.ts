import type { Json, JsonObject } from '../../model/json/document.ts'
import type { DateFormat } from '../date/date-format.ts'
import { readableFormats, readFieldDate } from '../date/field-date.ts'
import type { Cursor, SortKey } from '../plan/plan.ts'
import type { Scalar } from '../plan/predicate.ts'
import type { Field } from '../schema/field.ts'
import { compareScalars } from '../value/scalar-order.ts'
import { readStoredValues, valuesAt } from '../value/stored-value.ts'

const MISSING = '\\N'

/** Splits a cursor text into its items (spec 5.2.5); null is a missing value. */
export function splitCursor(text: string): readonly (string | null)[] {
  const items: (string | null)[] = []
  let item = ''
  let start = 0
  for (let at = 0; at <= text.length; at++) {
    const character = text[at]
    if (character === ',' || character === undefined) {
      items.push(text.slice(start, at) === MISSING ? null : item)
      item = ''
      start = at + 1
    } else if (character === '\\' && (text[at + 1] === ',' || text[at + 1] === '\\')) {
      at += 1
      item += text.charAt(at)
    } else item += character
  }
  return items
}

/** Prints the cursor of a hit: the values of the sort keys in its source, in a form a later request can parse. */
export function printCursor(keys: readonly SortKey[], source: JsonObject): string {
  return keys.map((key) => printValue(key, source)).join(',')
}

/** Returns the same cursor as plan values. */
export function cursorAfter(keys: readonly SortKey[], source: JsonObject): Cursor {
  const values = keys.map(
    (key) => chooseValue(key, valuesAt(source, key.field.source ?? key.field.path))?.value ?? null,
  )
  return { direction: 'after', values }
}

function printValue(key: SortKey, source: JsonObject): string {
  const chosen = chooseValue(key, valuesAt(source, key.field.source ?? key.field.path))
  if (chosen === undefined) return MISSING
  return print(key.field, chosen).replaceAll('\\', '\\\\').replaceAll(',', '\\,')
}

interface StoredValue {
  readonly raw: Json
  readonly value: Scalar
}

/** Of several values the smallest counts if ascending, the largest if descending (spec 2.1.2). */
function chooseValue(key: SortKey, raws: readonly Json[]): StoredValue | undefined {
  let chosen: StoredValue | undefined
  for (const raw of raws) {
    for (const value of readStoredValues(key.field, raw)) {
      const order = chosen === undefined ? 0 : compareScalars(value, chosen.value)
      if (chosen === undefined || (key.descending ? order > 0 : order < 0)) chosen = { raw, value }
    }
  }
  return chosen
}

function print(field: Field, { raw, value }: StoredValue): string {
  if (field.type === 'DATE' && typeof value === 'number') return printDate(readableFormats(field.format), raw, value)
  // The number of the source is shorter than a FLOAT widened to a double, and is parsed to the same FLOAT.
  if (field.type === 'FLOAT' && typeof raw === 'number') return String(raw)
  if (field.type === 'IP' && typeof raw === 'string') return raw
  return String(value)
}

/** Uses the stored form if it parses to the same instant. Not so for 2024 in ms: it would be parsed as a year. */
function printDate(formats: readonly DateFormat[], raw: Json, ms: number): string {
  const iso = Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : String(ms)
  const candidates = [String(raw), String(ms), iso, String(Math.floor(ms / 1000))]
  return candidates.find((text) => readFieldDate(formats, text)?.first === ms) ?? String(raw)
}
