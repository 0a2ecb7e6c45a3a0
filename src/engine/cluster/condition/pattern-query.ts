import type { Query } from '../../../cluster-client/cluster-client.ts'
import type { KeywordPattern, PatternNode } from '../../../query/pattern/keyword-pattern.ts'
import type { PatternPredicate } from '../../../query/plan/predicate.ts'
import { lucenePattern } from './lucene-pattern.ts'
import { anyOf } from './query-clauses.ts'

/** Default of `index.max_regex_length`. */
const LONGEST_REGEXP = 1000

/**
 * Searching for text that repeats itself (`aaa...`) may need work quadratic in its length. The default limit of
 * clusters is 10,000 states per pattern, and a wildcard cannot raise it. The memory needed never exceeds the length of
 * the text.
 */
const LONG_TEXT = 100

/**
 * Compiles to a wildcard if the pattern consists of literals and any-character parts only: the length of wildcards is
 * not limited. Other patterns that are too long are split at their top-level alternatives; if that is not enough, the
 * cluster rejects them. For those the default limit of states is kept, which protects the memory of the nodes.
 */
export function compilePattern({ field, pattern }: PatternPredicate): Query {
  const text = plainLength(pattern.node)
  const printed = lucenePattern(pattern, 'as-written')
  if (text !== undefined && text > LONG_TEXT) {
    return { regexp: { [field.path]: { value: printed, flags: 'NONE', max_determinized_states: text ** 2 } } }
  }
  const wildcard = printWildcard(pattern)
  if (wildcard !== undefined) return { wildcard: { [field.path]: { value: wildcard } } }
  if (printed.length > LONGEST_REGEXP && pattern.node.kind === 'choice') {
    const { node } = pattern
    return anyOf(
      node.members.map((member) => compilePattern({ kind: 'pattern', field, pattern: { ...pattern, node: member } })),
    )
  }
  return { regexp: { [field.path]: { value: printed, flags: 'NONE' } } }
}

/** Returns the length of the literal text if the pattern consists of literals and `.*` only. */
function plainLength(node: PatternNode): number | undefined {
  if (node.kind === 'literal') return node.text.length
  if (node.kind === 'repeat') return isAnything(node) ? 0 : undefined
  if (node.kind !== 'sequence') return undefined
  const lengths = node.members.map(plainLength)
  return lengths.every((length) => length !== undefined) ? lengths.reduce((sum, length) => sum + length, 0) : undefined
}

const isAnything = ({ member, min, max }: Extract<PatternNode, { kind: 'repeat' }>): boolean =>
  member.kind === 'any' && min === 0 && max === undefined

function printWildcard({ anchoredStart, anchoredEnd, node }: KeywordPattern): string | undefined {
  const body = printPart(node)
  return body === undefined ? undefined : `${anchoredStart ? '' : '*'}${body}${anchoredEnd ? '' : '*'}`
}

function printPart(node: PatternNode): string | undefined {
  switch (node.kind) {
    case 'literal':
      return node.text.replaceAll(/[*?\\]/g, '\\$&')
    case 'any':
      return '?'
    case 'sequence': {
      const parts = node.members.map(printPart)
      return parts.includes(undefined) ? undefined : parts.join('')
    }
    case 'repeat':
      return node.member.kind === 'any' && node.max === undefined ? `${'?'.repeat(node.min)}*` : undefined
    case 'class':
    case 'choice':
      return undefined
  }
}
