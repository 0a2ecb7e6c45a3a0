import { anyCase, foldCase } from '../pattern/case-fold.ts'
import {
  type WildcardPart,
  type Wildcards,
  wholeValue,
  wildcardParts,
  wildcardPattern,
} from '../pattern/wildcard-pattern.ts'
import type { Predicate } from '../plan/predicate.ts'
import type { Field } from '../schema/field.ts'

const LIKE: Wildcards = { many: '%', one: '_' }

/** Values of a keyword field that match a LIKE pattern, or differ from it only in case. */
export const likePredicate = (field: Field, pattern: string, folded: boolean): Predicate =>
  matchesParts(field, wildcardParts(pattern, LIKE), folded)

/** Values of a keyword field that match the parts of a pattern, or differ from it only in case. */
export function matchesParts(field: Field, parts: readonly WildcardPart[], folded: boolean): Predicate {
  const [first, second] = parts
  if (!folded) {
    if (first === undefined) return { kind: 'equals', field, values: [''] }
    if (typeof first === 'object' && second === undefined) return { kind: 'equals', field, values: [first.text] }
    if (typeof first === 'object' && second === 'many' && parts.length === 2) {
      return { kind: 'prefix', field, prefix: first.text }
    }
  }
  if (first === 'many' && second === undefined) return { kind: 'exists', field }
  return { kind: 'pattern', field, pattern: wildcardPattern(parts, folded) }
}

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
  const wanted = wildcardParts(pattern, LIKE).flatMap((part): readonly WildcardPart[] =>
    typeof part === 'string' ? [part] : Array.from(fold(part.text), (character) => ({ text: character })),
  )
  const given = Array.from(fold(text))
  let reached = new Set([0])
  const skip = (states: Set<number>): Set<number> => {
    for (const state of states) if (wanted[state] === 'many') states.add(state + 1)
    return states
  }
  skip(reached)
  for (const character of given) {
    const next = new Set<number>()
    for (const state of reached) {
      const part = wanted[state]
      if (part === 'many') next.add(state)
      else if (part === 'one' || (typeof part === 'object' && part.text === character)) next.add(state + 1)
    }
    reached = skip(next)
  }
  return reached.has(wanted.length)
}
