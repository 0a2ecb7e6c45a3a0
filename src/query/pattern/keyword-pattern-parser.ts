import { complement, mergeRanges, shorthand } from './character-class.ts'
import type { CodePointRange, KeywordPattern, PatternNode } from './keyword-pattern.ts'
import { LARGEST_PATTERN, patternSize } from './keyword-pattern-size.ts'

/** An invalid pattern (spec 3.6); `reason` is a clause that follows the name of the parameter. */
export class PatternFault extends Error {
  readonly reason: string
  /** Character position of the error, from 1. */
  readonly position: number
  constructor(rule: string, position: number) {
    super(`${rule} (position ${position})`)
    this.name = 'PatternFault'
    this.reason = this.message
    this.position = position
  }
}

const LARGEST_COUNT = 1000
/** More than a pattern of the default maximum length can contain; bounds the stack of the parser for any setting. */
const DEEPEST_NESTING = 1000

const literal = (text: string): PatternNode => ({ kind: 'literal', text })

/** Merges adjacent literals; a sequence of one is replaced by its member. */
function sequence(members: readonly PatternNode[]): PatternNode {
  const merged: PatternNode[] = []
  for (const member of members) {
    const last = merged.at(-1)
    if (member.kind === 'literal' && last?.kind === 'literal')
      merged[merged.length - 1] = literal(last.text + member.text)
    else merged.push(member)
  }
  return merged.length === 1 && merged[0] ? merged[0] : { kind: 'sequence', members: merged }
}

/** Parser state of one pattern. */
class Parser {
  readonly characters: readonly string[]
  at = 0
  depth = 0
  anchoredEnd = false

  constructor(text: string) {
    this.characters = Array.from(text)
  }

  get current(): string | undefined {
    return this.characters[this.at]
  }

  fault(rule: string, at = this.at): PatternFault {
    return new PatternFault(rule, at + 1)
  }

  parse(): KeywordPattern {
    const anchoredStart = this.current === '^'
    if (anchoredStart) this.at++
    const node = this.parseChoice()
    if (this.current === ')') throw this.fault("must not have an unmatched ')'")
    if (patternSize(node) > LARGEST_PATTERN) throw this.fault('must repeat less: it expands to too many characters', 0)
    return { anchoredStart, anchoredEnd: this.anchoredEnd, node }
  }

  parseChoice(): PatternNode {
    const members = [this.parseSequence()]
    while (this.current === '|') {
      this.at++
      members.push(this.parseSequence())
    }
    return members.length === 1 && members[0] ? members[0] : { kind: 'choice', members }
  }

  parseSequence(): PatternNode {
    const members: PatternNode[] = []
    for (;;) {
      const character = this.current
      if (character === undefined || character === '|' || character === ')') break
      if (character === '$') {
        if (this.at !== this.characters.length - 1) throw this.fault("must have '$' as its last character only")
        this.at++
        this.anchoredEnd = true
        break
      }
      members.push(this.parseRepeat(this.parseAtom(character)))
    }
    return sequence(members)
  }

  parseAtom(character: string): PatternNode {
    switch (character) {
      case '(':
        return this.parseGroup()
      case '[':
        return this.parseClass()
      case '.':
        this.at++
        return { kind: 'any' }
      case '\\': {
        const escaped = this.parseEscape()
        return typeof escaped === 'string' ? literal(escaped) : { kind: 'class', ...escaped }
      }
      case '^':
        throw this.fault("must have '^' as its first character only")
      case '*':
      case '+':
      case '?':
      case '{':
        throw this.fault(`must have something to repeat before '${character}'`)
      default:
        this.at++
        return literal(character)
    }
  }

  parseGroup(): PatternNode {
    const open = this.at++
    if (this.current === '?')
      throw this.fault("must not have '(?': look-around and inline flags are not supported", open)
    if (++this.depth > DEEPEST_NESTING) throw this.fault('must have fewer nested groups', open)
    const node = this.parseChoice()
    if (this.current !== ')') throw this.fault("must have a ')' for every '('", open)
    this.at++
    this.depth--
    return node
  }

  /** Returns the escaped character, or the class of its letter. */
  parseEscape(): string | { negated: boolean; ranges: readonly CodePointRange[] } {
    const backslash = this.at++
    const character = this.current
    if (character === undefined) throw this.fault('must not end with a single \\', backslash)
    this.at++
    const known = shorthand(character)
    if (known !== undefined) return known
    if (/[\p{L}\p{N}]/u.test(character)) {
      throw this.fault(`must not have \\${character}: only \\d \\D \\w \\W \\s \\S are supported`, backslash)
    }
    return character
  }

  parseRepeat(member: PatternNode): PatternNode {
    const character = this.current
    const start = this.at
    let node: PatternNode
    if (character === '*' || character === '+') {
      this.at++
      node = { kind: 'repeat', member, min: character === '*' ? 0 : 1 }
    } else if (character === '?') {
      this.at++
      node = { kind: 'repeat', member, min: 0, max: 1 }
    } else if (character === '{') {
      node = { kind: 'repeat', member, ...this.parseCounts() }
    } else {
      return member
    }
    const next = this.current
    if (next === '*' || next === '+' || next === '?' || next === '{') {
      throw this.fault(`must not have '${next}' after '${this.characters.slice(start, this.at).join('')}'`)
    }
    return node
  }

  parseCounts(): { min: number; max?: number } {
    const open = this.at
    let end = open
    while (end < this.characters.length && this.characters[end] !== '}') end++
    const match = /^\{(\d+)(?:(,)(\d*))?\}$/.exec(this.characters.slice(open, end + 1).join(''))
    if (match === null) throw this.fault("must have {n}, {n,} or {n,m} after '{', or \\{ for a brace", open)
    const min = Number(match[1])
    const max = match[2] === undefined ? min : match[3] === '' ? undefined : Number(match[3])
    if (min > LARGEST_COUNT || (max ?? 0) > LARGEST_COUNT) {
      throw this.fault(`must repeat at most ${LARGEST_COUNT} times`, open)
    }
    if (max !== undefined && min > max) throw this.fault('must have n <= m in {n,m}', open)
    this.at = end + 1
    return max === undefined ? { min } : { min, max }
  }

  parseClass(): PatternNode {
    const open = this.at++
    const negated = this.current === '^'
    if (negated) this.at++
    const ranges: CodePointRange[] = []
    const first = this.at
    while (this.current !== ']') {
      if (this.current === undefined) throw this.fault("must have a ']' for every '['", open)
      ranges.push(...this.parseClassItem(first, open))
    }
    if (this.at === first) throw this.fault("must have characters between '[' and ']', \\] for a bracket", open)
    this.at++
    return { kind: 'class', negated, ranges: mergeRanges(ranges) }
  }

  parseClassItem(first: number, open: number): readonly CodePointRange[] {
    const start = this.at
    const from = this.parseClassCharacter(open)
    const isDash = from === '-' && this.characters[start] === '-'
    if (isDash && start !== first && this.current !== ']') {
      throw this.fault("must have '-' first or last in a class, or between two characters; \\- elsewhere", start)
    }
    const isRange = this.current === '-' && this.characters[this.at + 1] !== ']'
    if (!isRange) return typeof from === 'string' ? [single(from)] : from
    this.at++
    const to = this.parseClassCharacter(open)
    if (typeof from !== 'string' || typeof to !== 'string') {
      throw this.fault('must not have a range from or to a class such as \\d', start)
    }
    const range = { from: single(from).from, to: single(to).to }
    if (range.from > range.to) throw this.fault(`must have the range ${from}-${to} in ascending order`, start)
    return [range]
  }

  parseClassCharacter(open: number): string | readonly CodePointRange[] {
    const character = this.current
    if (character === undefined) throw this.fault("must have a ']' for every '['", open)
    if (character === '\\') {
      const escaped = this.parseEscape()
      if (typeof escaped === 'string') return escaped
      return escaped.negated ? complement(escaped.ranges) : escaped.ranges
    }
    this.at++
    return character
  }
}

function single(character: string): CodePointRange {
  const point = character.codePointAt(0) ?? 0
  return { from: point, to: point }
}

/** Parses a pattern of at most `maxLength` characters. Throws PatternFault. The empty pattern matches every value. */
export function parseKeywordPattern(text: string, maxLength: number): KeywordPattern {
  const parser = new Parser(text)
  if (parser.characters.length > maxLength) {
    throw new PatternFault(`must be a pattern of at most ${maxLength} characters`, maxLength + 1)
  }
  return parser.parse()
}
