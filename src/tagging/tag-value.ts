import { type Problem, problem } from '../errors.ts'
import type { TagAction, TagValue } from '../model/tag-request.ts'
import { readableFormats, readStoredDate } from '../query/date/field-date.ts'
import { type Field, isInteger, isNumber } from '../query/schema/field.ts'
import { parseIp } from '../query/value/ip-address.ts'
import { readStoredValue } from '../query/value/stored-value.ts'

/** Maximum length of a text in bytes of UTF-8: the maximum size of an index term. */
const TERM_BYTES = 32_766
const LONGEST_SHOWN = 100
const NUMBERS = 'must be a 64-bit number, and integers must be from -(2^53-1) to 2^53-1'

interface TaggedPlace {
  readonly path: string
  /** Absent: no document has the field yet. */
  readonly field: Field | undefined
  readonly action: TagAction
}

/** Validates a tag value for a field (spec tagging 1.3 row 13). Throws INVALID_TAG. */
export function checkTagValue(value: unknown, place: TaggedPlace): TagValue {
  if (typeof value === 'bigint') throw unfit(value, place, NUMBERS)
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
    throw unfit(value, place, 'must be a string, a number or a boolean')
  }
  if (typeof value === 'string') checkText(value, place)
  if (typeof value === 'number') checkNumber(value, place)
  const wanted = place.action === 'ADD' && place.field !== undefined ? misfit(value, place.field) : undefined
  if (wanted !== undefined) throw unfit(value, place, wanted)
  // Adding 0 turns -0 into 0, as JSON writes it.
  return typeof value === 'number' ? value + 0 : value
}

function checkText(value: string, place: TaggedPlace): void {
  if (value === '') throw unfit(value, place, 'must not be empty')
  // A lone surrogate cannot be encoded in UTF-8.
  if (!value.isWellFormed()) throw unfit(value, place, 'must be valid Unicode')
  if (Buffer.byteLength(value) > TERM_BYTES) throw unfit(value, place, `must have at most ${TERM_BYTES} bytes in UTF-8`)
}

function checkNumber(value: number, place: TaggedPlace): void {
  const isExact = Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
  if (!isExact) throw unfit(value, place, NUMBERS)
}

/** Returns what the field type requires, undefined if the value fits. */
function misfit(value: TagValue, field: Field): string | undefined {
  if (isInteger(field.type)) {
    const fits = Number.isInteger(value) && readStoredValue(field, value) !== undefined
    return fits ? undefined : 'must be an integer in the range of the type'
  }
  if (isNumber(field.type)) return typeof value === 'number' ? undefined : 'must be a number'
  switch (field.type) {
    case 'BOOLEAN':
      return typeof value === 'boolean' ? undefined : 'must be a boolean'
    case 'DATE':
      return isDate(value, field.format)
        ? undefined
        : 'must be milliseconds as an integer, or a string in the format of the field'
    case 'IP':
      return typeof value === 'string' && parseIp(value) !== undefined ? undefined : 'must be an IP address as a string'
    default:
      return undefined
  }
}

function isDate(value: TagValue, format: string | undefined): boolean {
  if (typeof value !== 'string') return Number.isInteger(value)
  const formats = readableFormats(format)
  // An external mapping may have formats this server cannot parse. Leave the decision to the index.
  const isWhole = format === undefined || formats.length === format.split('||').length
  return !isWhole || readStoredDate(formats, value) !== undefined
}

function unfit(value: unknown, { path, field }: TaggedPlace, rule: string): Problem {
  const type = field === undefined ? 'a field that does not exist yet' : `a field of type ${field.type}`
  return problem('INVALID_TAG', { parameter: 'tag.value', reason: `${rule} for ${path}, ${type}`, value: shown(value) })
}

function shown(value: unknown): string {
  const isWritten = typeof value === 'object' && value !== null
  const text = isWritten ? JSON.stringify(value) : String(value)
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}...` : text
}
