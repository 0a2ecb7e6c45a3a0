import type { CodePointRange, KeywordPattern, PatternNode } from './keyword-pattern.ts'

/** Maximum repetition count in RE2, also for the product of nested counts. */
const LARGEST_RE2_COUNT = 1000

interface Printed {
  readonly text: string
  /** Largest product of nested counts. */
  readonly counts: number
}

const isPlain = (character: string): boolean => /^[A-Za-z0-9_ ]$/.test(character)

const codePoint = (point: number): string => `\\x{${point.toString(16)}}`

const printCharacter = (character: string): string =>
  isPlain(character) ? character : codePoint(character.codePointAt(0) ?? 0)

const printRange = ({ from, to }: CodePointRange): string =>
  from === to ? codePoint(from) : `${codePoint(from)}-${codePoint(to)}`

const group = (text: string): string => `(?:${text})`

/** Splits a repetition into counts RE2 accepts: `x{0,2500}` is `x{0,1000}x{0,1000}x{0,500}`. */
function printRepeat(member: Printed, min: number, max: number | undefined): Printed {
  const atom = group(member.text)
  const step = Math.max(1, Math.floor(LARGEST_RE2_COUNT / member.counts))
  let text = ''
  for (let left = min; left > 0; left -= step) text += left === 1 ? atom : `${atom}{${Math.min(step, left)}}`
  if (max === undefined) text += `${atom}*`
  else
    for (let left = max - min; left > 0; left -= step)
      text += left === 1 ? `${atom}?` : `${atom}{0,${Math.min(step, left)}}`
  const largest = Math.min(step, Math.max(1, min, max === undefined ? 1 : max - min))
  return { text, counts: member.counts * largest }
}

function printNode(node: PatternNode): Printed {
  switch (node.kind) {
    case 'literal':
      return { text: Array.from(node.text, printCharacter).join(''), counts: 1 }
    case 'any':
      return { text: '.', counts: 1 }
    case 'class':
      return { text: `[${node.negated ? '^' : ''}${node.ranges.map(printRange).join('')}]`, counts: 1 }
    case 'sequence':
    case 'choice': {
      const members = node.members.map(printNode)
      const choice = node.kind === 'choice'
      return {
        text: choice ? group(members.map((m) => m.text).join('|')) : members.map((m) => m.text).join(''),
        counts: members.reduce((largest, m) => Math.max(largest, m.counts), 1),
      }
    }
    case 'repeat':
      return printRepeat(printNode(node.member), node.min, node.max)
  }
}

/** Prints the pattern in RE2 syntax, for an unanchored search; `.` matches a line break too. */
export function printRe2(pattern: KeywordPattern): string {
  const { text } = printNode(pattern.node)
  // DuckDB rewrites an anchor next to an empty group as equality with the empty string, so no empty group is printed.
  const body = text === '' ? '' : group(text)
  return `(?s)${pattern.anchoredStart ? '\\A' : ''}${body}${pattern.anchoredEnd ? '\\z' : ''}`
}
