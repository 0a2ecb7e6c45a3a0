import { type Bounds, negateGroup, parseBounds, parseGroup, parseList, printChoice, printTriplet } from './triplet.ts'

/** One filter of the page: what one parameter `f` or `q` says. */
export interface Chip {
  readonly kind: 'f' | 'q'
  readonly text: string
  /** Kept, but not asked for. */
  readonly off: boolean
}

export const chip = (text: string, kind: Chip['kind'] = 'f'): Chip => ({ kind, text, off: false })

export type Parameter = readonly [name: string, value: string]

/** The parameters of the filters that are on. */
export const filterParameters = (chips: readonly Chip[]): readonly Parameter[] =>
  chips.filter(({ off }) => !off).map(({ kind, text }) => [kind, text])

/** The only condition of a chip, when it has one and it is about this field. */
function conditionOn({ kind, text }: Chip, field: string): { readonly op: string; readonly value: string } | undefined {
  if (kind !== 'f') return undefined
  const triplets = parseGroup(text)
  const [only] = triplets ?? []
  return triplets?.length === 1 && only?.field === field ? only : undefined
}

const isRangeOn = (one: Chip, field: string): boolean => conditionOn(one, field)?.op === 'range'
const isChoiceOn = (one: Chip, field: string): boolean => conditionOn(one, field)?.op === 'eq'

/** Without the ranges of a field: what a histogram of it counts, so that it shows what lies around its own selection. */
export const withoutRange = (chips: readonly Chip[], field: string): readonly Chip[] =>
  chips.filter((one) => !isRangeOn(one, field))

/** Without the chosen values of a field: what its ranking counts. */
export const withoutChoice = (chips: readonly Chip[], field: string): readonly Chip[] =>
  chips.filter((one) => !isChoiceOn(one, field))

/** The bounds a field is held to by its chip, if that is on. */
export function rangeOf(chips: readonly Chip[], field: string): Bounds | undefined {
  const found = chips.find((one) => !one.off && isRangeOn(one, field))
  return found === undefined ? undefined : parseBounds(conditionOn(found, field)?.value ?? '')
}

/** Holds a field to bounds, the end left out as bars do, in place of those it had; undefined takes them away. */
export function setRange(chips: readonly Chip[], field: string, bounds: Bounds | undefined): readonly Chip[] {
  if (bounds === undefined) return withoutRange(chips, field)
  const made = chip(printTriplet({ field, op: 'range', value: `[${bounds.from}<${bounds.to}[` }))
  const at = chips.findIndex((one) => isRangeOn(one, field))
  return at < 0
    ? [...chips, made]
    : [...withoutRange(chips.slice(0, at), field), made, ...withoutRange(chips.slice(at + 1), field)]
}

/** The values of a field that are chosen. */
export function chosenValues(chips: readonly Chip[], field: string): readonly string[] {
  const found = chips.find((one) => !one.off && isChoiceOn(one, field))
  return found === undefined ? [] : parseList(conditionOn(found, field)?.value ?? '')
}

/** Chooses a value of a field, or no longer. */
export function toggleValue(chips: readonly Chip[], field: string, value: string): readonly Chip[] {
  const at = chips.findIndex((one) => isChoiceOn(one, field))
  const before = chosenValues(chips, field)
  const values = before.includes(value) ? before.filter((other) => other !== value) : [...before, value]
  const made = values.length === 0 ? [] : [chip(printChoice(field, values))]
  return at < 0 ? [...chips, ...made] : [...chips.slice(0, at), ...made, ...chips.slice(at + 1)]
}

/** The chip that selects what this one leaves out, where that can be said. */
export function negateChip(one: Chip): Chip | undefined {
  const text = one.kind === 'f' ? negateGroup(one.text) : negateText(one.text)
  return text === undefined ? undefined : { ...one, text }
}

/** `word` and `-word`; more than one word goes into brackets. */
function negateText(text: string): string | undefined {
  const [, field = '', words = ''] = /^([\w.*-]+:)?(.*)$/.exec(text) ?? []
  if (words.includes(';') || words.trim() === '') return undefined
  const bracketed = /^-\(([^()]*)\)$/.exec(words)
  if (bracketed !== null) return `${field}${bracketed[1] ?? ''}`
  if (/^-[^\s]+$/.test(words)) return `${field}${words.slice(1)}`
  return /^[^\s()|"-][^\s]*$/.test(words) ? `${field}-${words}` : `${field}-(${words})`
}
