import { OTHER, wordBreakClasses } from '../../../query/text/word-break.ts'
import type { SqlBuilder } from '../database/sql-builder.ts'

/** SQL conditions on the column `text`, to find terms with a word that starts with a prefix. */
interface TermMatch {
  /** True for all wanted terms, and some others. */
  readonly possible: string
  /** True for wanted terms only, but not all of them. */
  readonly sure: string
}

/** Longer tokens are cut, so that one may start between two letters. */
const LONGEST_TOKEN = 255

/** Between one of these characters and a letter or digit a token always starts. */
const SEPARATORS = Array.from({ length: 128 }, (_, code) => code).filter((code) => wordBreakClasses[code] === OTHER)

/**
 * The word rules are implemented in JavaScript and too slow for millions of terms. SQL discards terms that cannot match
 * and accepts those that surely do. DuckDB lower-cases non-ASCII with another Unicode version, so it only decides ASCII
 * prefixes.
 */
export function compileTermMatch(prefix: string, sql: SqlBuilder): TermMatch {
  if (prefix === '') return { possible: 'TRUE', sure: 'TRUE' }
  if (!isAscii(prefix)) return { possible: 'strlen(text) <> length(text)', sure: 'FALSE' }
  const bound = sql.bind(prefix, 'VARCHAR')
  const after = (characters: string): string =>
    `regexp_matches(lower(text), ${sql.bind(`[${characters}]${quote(prefix)}`, 'VARCHAR')})`
  const atStart = `starts_with(lower(text), ${bound})`
  // No token starts after a letter, digit or _, unless a long one was cut.
  const within = `contains(lower(text), ${bound}) AND (${after('^0-9a-z_')} OR strlen(text) > ${LONGEST_TOKEN})`
  const sure = /^[0-9a-z]/.test(prefix) ? `${atStart} OR ${after(SEPARATORS.map(quoteCode).join(''))}` : atStart
  return { possible: `(${atStart} OR (${within}))`, sure }
}

const isAscii = (text: string): boolean => /^\p{ASCII}*$/u.test(text)

const quote = (text: string): string => text.replace(/[^0-9a-z]/g, (c) => quoteCode(c.charCodeAt(0)))

const quoteCode = (code: number): string => `\\x{${code.toString(16)}}`
