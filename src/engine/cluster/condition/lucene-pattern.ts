import type { CodePointRange, KeywordPattern, PatternNode } from '../../../query/pattern/keyword-pattern.ts'

const NOTHING = '()'

/**
 * Compiles a pattern to a Lucene regular expression, which always matches a whole value. `as-written`: unanchored ends
 * get `.*`. `both-ends`: the pattern must match the whole value. Uses no operators that depend on flags.
 */
export function lucenePattern(pattern: KeywordPattern, tied: 'as-written' | 'both-ends'): string {
  const whole = tied === 'both-ends'
  const before = whole || pattern.anchoredStart ? '' : '.*'
  const after = whole || pattern.anchoredEnd ? '' : '.*'
  const body = printNode(pattern.node)
  if (before === '' && after === '') return body
  return `${before}${pattern.node.kind === 'choice' ? `(${body})` : body}${after}`
}

function printNode(node: PatternNode): string {
  switch (node.kind) {
    case 'literal':
      return node.text === '' ? NOTHING : Array.from(node.text, protect).join('')
    case 'any':
      return '.'
    case 'class':
      return `[${node.negated ? '^' : ''}${node.ranges.map(printRange).join('')}]`
    case 'sequence':
      return node.members.map((m) => (m.kind === 'choice' ? `(${printNode(m)})` : printNode(m))).join('') || NOTHING
    case 'choice':
      return node.members.map(printNode).join('|')
    case 'repeat':
      return node.max === 0 ? NOTHING : `${printAtom(node.member)}${printCounts(node.min, node.max)}`
  }
}

/** Escapes all ASCII characters except letters, digits and `_`: which ones are special depends on the version. */
const protect = (character: string): string =>
  (/^[\0-\x7f]$/.test(character) && !/\w/.test(character) ? '\\' : '') + character

const printPoint = (point: number): string => protect(String.fromCodePoint(point))

const printRange = ({ from, to }: CodePointRange): string =>
  from === to ? printPoint(from) : `${printPoint(from)}-${printPoint(to)}`

function printAtom(node: PatternNode): string {
  const single = node.kind === 'any' || node.kind === 'class' || (node.kind === 'literal' && node.text.length === 1)
  return single ? printNode(node) : `(${printNode(node)})`
}

function printCounts(min: number, max: number | undefined): string {
  if (max === undefined) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`
  if (min === 0 && max === 1) return '?'
  return min === max ? `{${min}}` : `{${min},${max}}`
}
