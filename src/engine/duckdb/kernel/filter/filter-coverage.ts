import type { Predicate } from '../../../../query/plan/predicate.ts'
import type { Field } from '../../../../query/schema/field.ts'
import type { PartOutline } from '../../segment/part.ts'
import { isPlainText } from './pattern-terms.ts'

/**
 * Maximum number of terms that are tested against patterns and fuzzy words for one predicate. The tests run before the
 * first row is read, without yielding, and take up to 5 microseconds each.
 */
export const MOST_TERM_TESTS = 20_000

/** Terms in which a text is found in the time of one test of a term, if all of them contain it. */
const TEXTS_PER_TEST = 100

/** Says why kernels cannot or should not evaluate a predicate on some parts. Undefined if they can. */
export function kernelGap(predicate: Predicate, parts: readonly PartOutline[]): string | undefined {
  return termTests(predicate, parts) > MOST_TERM_TESTS ? 'patterns over many terms' : gapOf(predicate, parts)
}

function termTests(predicate: Predicate, parts: readonly PartOutline[]): number {
  switch (predicate.kind) {
    case 'and':
    case 'or':
      return predicate.members.reduce((sum, member) => sum + termTests(member, parts), 0)
    case 'not':
      return termTests(predicate.member, parts)
    case 'pattern': {
      const terms = termsOf(predicate.field, parts)
      return isPlainText(predicate.pattern) ? terms / TEXTS_PER_TEST : terms
    }
    case 'fuzzy':
      return termsOf(predicate.field, parts)
    default:
      return 0
  }
}

/** Number of distinct terms of a field, added over the parts. */
export const termsOf = (field: Pick<Field, 'path' | 'type'>, parts: readonly PartOutline[]): number =>
  parts.reduce((sum, part) => {
    return sum + (part.column(field)?.dictionary?.size ?? 0)
  }, 0)

function gapOf(predicate: Predicate, parts: readonly PartOutline[]): string | undefined {
  switch (predicate.kind) {
    case 'everything':
    case 'nothing':
      return undefined
    case 'and':
    case 'or':
      return firstOf(predicate.members, (member) => gapOf(member, parts))
    case 'not':
      return gapOf(predicate.member, parts)
    case 'exists':
      return predicate.field.isId ? 'identifiers' : undefined
    case 'compare':
      return 'comparison of two fields'
    case 'relates':
      return 'relation of geometries'
    default:
      if (predicate.field.isId) return 'identifiers'
      return firstOf(parts, (part) => {
        const column = part.column(predicate.field)
        return column?.inexact ? 'integers beyond 2^53' : undefined
      })
  }
}

function firstOf<T>(items: readonly T[], find: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}
