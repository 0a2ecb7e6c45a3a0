import { anyCase } from './case-fold.ts'
import type { KeywordPattern, PatternNode } from './keyword-pattern.ts'

/** The wildcards of a language: `%` and `_`, or `*` and `?`. */
export interface Wildcards {
  /** For any text. */
  readonly many: string
  /** For one character. */
  readonly one: string
}

/** A part of a pattern: text, or a wildcard. */
export type WildcardPart = { readonly text: string } | 'many' | 'one'

/** Splits a pattern at its wildcards; a backslash makes the next character literal. */
export function wildcardParts(pattern: string, { many, one }: Wildcards): readonly WildcardPart[] {
  const parts: WildcardPart[] = []
  let text = ''
  const flush = (): void => {
    if (text !== '') parts.push({ text })
    text = ''
  }
  const characters = Array.from(pattern)
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i] ?? ''
    if (character === '\\' && i + 1 < characters.length) text += characters[++i]
    else if (character === many || character === one) {
      flush()
      if (character === one) parts.push('one')
      else if (parts.at(-1) !== 'many') parts.push('many')
    } else text += character
  }
  flush()
  return parts
}

/** `folded`: texts match in any case. */
export function wildcardPattern(parts: readonly WildcardPart[], folded: boolean): KeywordPattern {
  return wholeValue(
    parts.flatMap((part): readonly PatternNode[] => {
      if (part === 'many') return [{ kind: 'repeat', member: { kind: 'any' }, min: 0 }]
      if (part === 'one') return [{ kind: 'any' }]
      return folded ? anyCase(part.text) : [{ kind: 'literal', text: part.text }]
    }),
  )
}

/** A pattern that the whole value matches. */
export const wholeValue = (members: readonly PatternNode[]): KeywordPattern => ({
  anchoredStart: true,
  anchoredEnd: true,
  node: members.length === 1 && members[0] ? members[0] : { kind: 'sequence', members },
})
