import { type Bounds, negateGroup, parseBounds, parseGroup, parseList, printChoice, printTriplet } from './triplet.ts'

/** One filter of the page, equal to one parameter `f` or `q`. */
export interface Chip {
  readonly kind: 'f' | 'q'
  readonly text: string
  /** Disabled: kept, but not sent. */
  readonly off: boolean
}

export const chip = (text: string, kind: Chip['kind'] = 'f'): Chip => ({ kind, text, off: false })

export type Parameter = readonly [name: string, value: string]

/** Returns the parameters of the enabled filters. */
export const filterParameters = (chips: readonly Chip[]): readonly Parameter[] =>
  chips.filter(({ off }) => !off).map(({ kind, text }) => [kind, text])

/** Returns the condition of a chip if it is the only one and on this field. */
function conditionOn({ kind, text }: Chip, field: string): { readonly op: string; readonly value: string } | undefined {
  if (kind !== 'f') return undefined
  const triplets = parseGroup(text)
  const [only] = triplets ?? []
  return triplets?.length === 1 && only?.field === field ? only : undefined
}

const isRangeOn = (one: Chip, field: string): boolean => conditionOn(one, field)?.op === 'range'
const isChoiceOn = (one: Chip, field: string): boolean => conditionOn(one, field)?.op === 'eq'

/** Removes the ranges of a field, so that its histogram shows the values around its own selection. */
export const withoutRange = (chips: readonly Chip[], field: string): readonly Chip[] =>
  chips.filter((one) => !isRangeOn(one, field))

/** Removes the chosen values of a field, for the counts of its ranking. */
export const withoutChoice = (chips: readonly Chip[], field: string): readonly Chip[] =>
  chips.filter((one) => !isChoiceOn(one, field))

/** Returns the bounds of the enabled range chip of a field. */
export function rangeOf(chips: readonly Chip[], field: string): Bounds | undefined {
  const found = chips.find((one) => !one.off && isRangeOn(one, field))
  return found === undefined ? undefined : parseBounds(conditionOn(found, field)?.value ?? '')
}

/** Replaces the range of a field, with an exclusive end as in bars; undefined removes it. */
export function setRange(chips: readonly Chip[], field: string, bounds: Bounds | undefined): readonly Chip[] {
  if (bounds === undefined) return withoutRange(chips, field)
  const made = chip(printTriplet({ field, op: 'range', value: `[${bounds.from}<${bounds.to}[` }))
  const at = chips.findIndex((one) => isRangeOn(one, field))
  return at < 0
    ? [...chips, made]
    : [...withoutRange(chips.slice(0, at), field), made, ...withoutRange(chips.slice(at + 1), field)]
}

/** Returns the chosen values of a field. */
export function chosenValues(chips: readonly Chip[], field: string): readonly string[] {
  const found = chips.find((one) => !one.off && isChoiceOn(one, field))
  return found === undefined ? [] : parseList(conditionOn(found, field)?.value ?? '')
}

/** Adds a value of a field to the chosen ones, or removes it. */
export function toggleValue(chips: readonly Chip[], field: string, value: string): readonly Chip[] {
  const at = chips.findIndex((one) => isChoiceOn(one, field))
  const before = chosenValues(chips, field)
  const values = before.includes(value) ? before.filter((other) => other !== value) : [...before, value]
  const made = values.length === 0 ? [] : [chip(printChoice(field, values))]
  return at < 0 ? [...chips, ...made] : [...chips.slice(0, at), ...made, ...chips.slice(at + 1)]
}

/** Returns the chip with the inverse selection; undefined if it cannot be expressed. */
export function negateChip(one: Chip): Chip | undefined {
  const text = one.kind === 'f' ? negateGroup(one.text) : negateText(one.text)
  return text === undefined ? undefined : { ...one, text }
}

/** Toggles between `word` and `-word`; several words are put in parentheses. */
function negateText(text: string): string | undefined {
  const [, field = '', words = ''] = /^([\w.*-]+:)?(.*)$/.exec(text) ?? []
  if (words.includes(';') || words.trim() === '') return undefined
  const bracketed = /^-\(([^()]*)\)$/.exec(words)
  if (bracketed !== null) return `${field}${bracketed[1] ?? ''}`
  if (/^-[^\s]+$/.test(words)) return `${field}${words.slice(1)}`
  return /^[^\s()|"-][^\s]*$/.test(words) ? `${field}-${words}` : `${field}-(${words})`
}
