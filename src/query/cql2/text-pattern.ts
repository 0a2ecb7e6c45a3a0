import type { KeywordPattern, PatternNode } from '../pattern/keyword-pattern.ts'
import type { Predicate } from '../plan/predicate.ts'
import type { Field } from '../schema/field.ts'
import { anyCase, foldCase } from './case-fold.ts'

/** A part of a LIKE pattern: text, or a wildcard for any text or for one character. */
type Part = { readonly text: string } | '%' | '_'

/** Splits a LIKE pattern at its wildcards; a backslash makes the next character literal. */
function partsOf(pattern: string): readonly Part[] {
  const parts: Part[] = []
  let text = ''
  const flush = (): void => {
    if (text !== '') parts.push({ text })
    text = ''
  }
  const characters = Array.from(pattern)
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i] ?? ''
    if (character === '\\' && i + 1 < characters.length) text += characters[++i]
    else if (character === '%' || character === '_') {
      flush()
      if (character === '_' || parts.at(-1) !== '%') parts.push(character)
    } else text += character
  }
  flush()
  return parts
}

/** Values of a keyword field that match a LIKE pattern, or differ from it only in case. */
export function likePredicate(field: Field, pattern: string, folded: boolean): Predicate {
  const parts = partsOf(pattern)
  const [first, second] = parts
  if (!folded) {
    if (first === undefined) return { kind: 'equals', field, values: [''] }
    if (typeof first === 'object' && second === undefined) return { kind: 'equals', field, values: [first.text] }
    if (typeof first === 'object' && second === '%' && parts.length === 2) {
      return { kind: 'prefix', field, prefix: first.text }
    }
  }
  if (first === '%' && second === undefined) return { kind: 'exists', field }
  return { kind: 'pattern', field, pattern: wholeValue(parts.flatMap((part) => nodesOf(part, folded))) }
}

function nodesOf(part: Part, folded: boolean): readonly PatternNode[] {
  if (part === '%') return [{ kind: 'repeat', member: { kind: 'any' }, min: 0 }]
  if (part === '_') return [{ kind: 'any' }]
  return folded ? anyCase(part.text) : [{ kind: 'literal', text: part.text }]
}

const wholeValue = (members: readonly PatternNode[]): KeywordPattern => ({
  anchoredStart: true,
  anchoredEnd: true,
  node: members.length === 1 && members[0] ? members[0] : { kind: 'sequence', members },
})

/** Values of a keyword field that are equal to a text except for case. */
export function equalsInAnyCase(field: Field, text: string): Predicate {
  const members = anyCase(text)
  if (members.length === 0) return { kind: 'equals', field, values: [text] }
  const [only] = members
  if (members.length === 1 && only?.kind === 'literal') return { kind: 'equals', field, values: [only.text] }
  return { kind: 'pattern', field, pattern: wholeValue(members) }
}

/** Tests a text against a LIKE pattern, for texts that are both literals. */
export function matchesLike(text: string, pattern: string, folded: boolean): boolean {
  const fold = (value: string): string => (folded ? foldCase(value) : value)
  const wanted = partsOf(pattern).flatMap((part): readonly Part[] =>
    typeof part === 'string' ? [part] : Array.from(fold(part.text), (character) => ({ text: character })),
  )
  const given = Array.from(fold(text))
  let reached = new Set([0])
  const skip = (states: Set<number>): Set<number> => {
    for (const state of states) if (wanted[state] === '%') states.add(state + 1)
    return states
  }
  skip(reached)
  for (const character of given) {
    const next = new Set<number>()
    for (const state of reached) {
      const part = wanted[state]
      if (part === '%') next.add(state)
      else if (part === '_' || (typeof part === 'object' && part.text === character)) next.add(state + 1)
    }
    reached = skip(next)
  }
  return reached.has(wanted.length)
}
