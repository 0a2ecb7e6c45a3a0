import { OTHER, wordBreakClasses } from '../../../query/text/word-break.ts'
import type { SqlBuilder } from '../database/sql-builder.ts'

/** SQL about the column `text`, where terms that begin with a prefix are sought. */
export interface TermMatch {
  /** Passes more than the terms wanted. */
  readonly possible: string
  /** Passes terms that are wanted, if not all of them. */
  readonly sure: string
}

/** Longer tokens are cut, and then begin in the midst of letters. */
const LONGEST_TOKEN = 255

/** Between such a character and a letter or digit a token starts, whatever else is around them. */
const SEPARATORS = Array.from({ length: 128 }, (_, code) => code).filter((code) => wordBreakClasses[code] === OTHER)

/**
 * The rules of words are JavaScript, and slow for millions of terms: SQL sorts out what cannot match and lets pass what
 * surely does. It lower-cases what is not ASCII by another version of Unicode, so it judges prefixes in ASCII only.
 */
export function compileTermMatch(prefix: string, sql: SqlBuilder): TermMatch {
  if (prefix === '') return { possible: 'TRUE', sure: 'TRUE' }
  if (!isAscii(prefix)) return { possible: 'strlen(text) <> length(text)', sure: 'FALSE' }
  const bound = sql.bind(prefix, 'VARCHAR')
  const after = (characters: string): string =>
    `regexp_matches(lower(text), ${sql.bind(`[${characters}]${quote(prefix)}`, 'VARCHAR')})`
  const atStart = `starts_with(lower(text), ${bound})`
  // Of letters, digits and _ no token starts after another, unless it was cut.
  const within = `contains(lower(text), ${bound}) AND (${after('^0-9a-z_')} OR strlen(text) > ${LONGEST_TOKEN})`
  const sure = /^[0-9a-z]/.test(prefix) ? `${atStart} OR ${after(SEPARATORS.map(quoteCode).join(''))}` : atStart
  return { possible: `(${atStart} OR (${within}))`, sure }
}

const isAscii = (text: string): boolean => /^\p{ASCII}*$/u.test(text)

const quote = (text: string): string => text.replace(/[^0-9a-z]/g, (c) => quoteCode(c.charCodeAt(0)))

const quoteCode = (code: number): string => `\\x{${code.toString(16)}}`
