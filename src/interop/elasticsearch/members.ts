import { type Problem, problem } from '../../errors.ts'
import { isRecord } from '../../model/json/json-object.ts'

/** Reads members of requests in the language of Elasticsearch. `place` is the path of a member, for messages. */

export type Members = Readonly<Record<string, unknown>>

export const fault = (place: string, reason: string, value?: unknown): Problem =>
  problem('INVALID_BODY', { parameter: place, reason, ...(value === undefined ? {} : { value }) })

export const notSupported = (place: string): Problem => fault(place, 'is not supported')

export function readMembers(value: unknown, place: string): Members {
  if (isRecord(value)) return value
  throw fault(place, 'must be an object', value)
}

/** Throws for a member that is not known. */
export function checkNames(members: Members, place: string, known: readonly string[]): void {
  const other = Object.keys(members).find((name) => !known.includes(name))
  if (other !== undefined) throw notSupported(placeOf(place, other))
}

export const placeOf = (place: string, name: string): string => (place === '' ? name : `${place}.${name}`)

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

/** Returns the text of a scalar. */
export function readText(value: unknown, place: string): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw fault(place, 'must be a text, a number or a boolean', value)
}

export function readTexts(value: unknown, place: string): readonly string[] {
  return listOf(value).map((item, i) => readText(item, Array.isArray(value) ? `${place}[${i}]` : place))
}

export function readBoolean(value: unknown, place: string): boolean | undefined {
  if (value === undefined || typeof value === 'boolean') return value
  if (value === 'true' || value === 'false') return value === 'true'
  throw fault(place, 'must be true or false', value)
}

/** Reads an integer, as number or text. */
export function readInteger(value: unknown, place: string, min: number, max: number): number | undefined {
  if (value === undefined) return undefined
  const number = typeof value === 'string' && /^-?\d{1,9}$/.test(value) ? Number(value) : value
  if (typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max) return number
  throw fault(place, `must be an integer from ${min} to ${max}`, value)
}

export function readNumber(value: unknown, place: string): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number === 'number' && Number.isFinite(number)) return number
  throw fault(place, 'must be a number', value)
}

/** Reads an object with one member besides options: its name, its value and the options. */
export function readOnly(value: unknown, place: string, options: readonly string[] = []): OnlyMember {
  const members = readMembers(value, place)
  const names = Object.keys(members).filter((name) => !options.includes(name))
  const [name] = names
  if (name === undefined || names.length > 1) throw fault(place, 'must name one field', names.join(', ') || undefined)
  return { name, value: members[name], place: placeOf(place, name), members }
}

interface OnlyMember {
  readonly name: string
  readonly value: unknown
  readonly place: string
  readonly members: Members
}
