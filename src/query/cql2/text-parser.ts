import { GeometryFault } from '../../geo/geometry-fault.ts'
import { parseWkt } from '../../geo/wkt.ts'
import { Cql2Fault, Cql2TooDeep, unsupported } from './cql2-fault.ts'
import type { ComparisonOperator, Cql2 } from './expression.ts'
import { relationNamed } from './function-names.ts'
import { TextTokens, type Token } from './text-tokens.ts'

const COMPARISONS: ReadonlySet<string> = new Set(['=', '<>', '<', '>', '<=', '>='])
const ARITHMETIC: ReadonlySet<string> = new Set(['+', '-', '*', '/', '^', '%', 'DIV'])
/** Words that are not names of properties unless they are quoted. */
const RESERVED: ReadonlySet<string> = new Set(['AND', 'OR', 'NOT', 'LIKE', 'BETWEEN', 'IN', 'IS', 'NULL', 'DIV'])
const WKT_WORD = /^(?:(?:MULTI)?(?:POINT|LINESTRING|POLYGON)|GEOMETRYCOLLECTION)(?:ZM|Z|M)?$/i

export interface ParseLimits {
  /** Deepest nesting of brackets, functions and NOT. */
  readonly depth: number
  /** Most positions of one geometry. */
  readonly vertices: number
}

/** Parses the text form of CQL2 (`cql2-text`). Throws Cql2Fault with the offset, or Cql2TooDeep. */
export function parseCql2Text(text: string, limits: ParseLimits): Cql2 {
  return new TextParser(text, limits).whole()
}

class TextParser {
  readonly #tokens: TextTokens
  readonly #limits: ParseLimits
  #depth = 0

  constructor(text: string, limits: ParseLimits) {
    this.#tokens = new TextTokens(text)
    this.#limits = limits
  }

  whole(): Cql2 {
    const node = this.#expression()
    if (this.#tokens.ahead.kind !== 'end') throw this.#unexpected('the end, AND or OR')
    return node
  }

  #expression(): Cql2 {
    return this.#joined('OR', 'or', () => this.#joined('AND', 'and', () => this.#factor()))
  }

  #joined(word: string, kind: 'and' | 'or', read: () => Cql2): Cql2 {
    const { at } = this.#tokens.ahead
    const members = [read()]
    while (this.#take(word)) members.push(read())
    return members.length === 1 && members[0] ? members[0] : { kind, members, at }
  }

  #factor(): Cql2 {
    const { at } = this.#tokens.ahead
    if (!this.#take('NOT')) return this.#predicate()
    return this.#deeper(() => ({ kind: 'not', member: this.#factor(), at }))
  }

  #predicate(): Cql2 {
    const { at } = this.#tokens.ahead
    const value = this.#operand()
    const sign = this.#tokens.ahead
    if (sign.kind === 'sign' && COMPARISONS.has(sign.text)) {
      this.#tokens.next()
      return { kind: 'comparison', op: sign.text as ComparisonOperator, left: value, right: this.#operand(), at }
    }
    if (this.#take('IS')) {
      const isNot = this.#take('NOT')
      this.#expectWord('NULL')
      return this.#negated(isNot, { kind: 'isNull', value, at })
    }
    const isNot = this.#take('NOT')
    if (this.#take('LIKE')) return this.#negated(isNot, { kind: 'like', value, pattern: this.#operand(), at })
    if (this.#take('BETWEEN')) {
      const lower = this.#operand()
      this.#expectWord('AND')
      return this.#negated(isNot, { kind: 'between', value, lower, upper: this.#operand(), at })
    }
    if (this.#take('IN')) {
      this.#expectSign('(')
      return this.#negated(isNot, { kind: 'in', value, list: this.#rest(), at })
    }
    if (isNot) throw this.#unexpected('LIKE, BETWEEN or IN')
    return value
  }

  #negated(isNot: boolean, member: Cql2): Cql2 {
    return isNot ? { kind: 'not', member, at: member.at } : member
  }

  #operand(): Cql2 {
    const node = this.#term()
    const { ahead } = this.#tokens
    const isSign = ahead.kind === 'sign' || (ahead.kind === 'word' && !ahead.quoted)
    if (isSign && ARITHMETIC.has(ahead.text.toUpperCase())) throw unsupported('arithmetic', ahead.at)
    return node
  }

  #term(): Cql2 {
    const token = this.#tokens.ahead
    const { at } = token
    switch (token.kind) {
      case 'text':
      case 'number':
        this.#tokens.next()
        return { kind: token.kind, value: token.text, at }
      case 'sign':
        if (token.text === '-' || token.text === '+') return this.#signedNumber()
        if (token.text === '(') return this.#bracket()
        throw this.#unexpected('a property, a value or a function')
      case 'word':
        return this.#word(token)
      case 'end':
        throw this.#unexpected('a property, a value or a function')
    }
  }

  #signedNumber(): Cql2 {
    const sign = this.#tokens.next()
    const number = this.#tokens.ahead
    if (number.kind !== 'number') {
      if (number.kind === 'word' || number.text === '(') throw unsupported('arithmetic', sign.at)
      throw this.#unexpected('a number')
    }
    this.#tokens.next()
    return { kind: 'number', value: sign.text === '-' ? `-${number.text}` : number.text, at: sign.at }
  }

  /** An expression in brackets, or a list. */
  #bracket(): Cql2 {
    const { at } = this.#tokens.next()
    const items = this.#rest()
    return items.length === 1 && items[0] ? items[0] : { kind: 'list', items, at }
  }

  #word(token: Extract<Token, { kind: 'word' }>): Cql2 {
    const { at } = token
    const upper = token.quoted ? '' : token.text.toUpperCase()
    if (RESERVED.has(upper)) throw this.#unexpected('a property, a value or a function')
    this.#tokens.next()
    if (WKT_WORD.test(upper) && this.#beginsGeometry()) return this.#geometry(at)
    if (upper === 'TRUE' || upper === 'FALSE') return { kind: 'boolean', value: upper === 'TRUE', at }
    const open = this.#tokens.ahead
    const isCall = !token.quoted && open.kind === 'sign' && open.text === '('
    if (!isCall) return { kind: 'property', name: token.text, at }
    this.#tokens.next()
    return this.#call(upper, at)
  }

  #call(name: string, at: number): Cql2 {
    switch (name) {
      case 'DATE':
      case 'TIMESTAMP': {
        const value = this.#tokens.ahead
        if (value.kind !== 'text') throw this.#unexpected('a text in single quotes')
        this.#tokens.next()
        this.#expectSign(')')
        return { kind: name === 'DATE' ? 'date' : 'timestamp', value: value.text, at }
      }
      case 'INTERVAL': {
        const [from, to, ...more] = this.#rest()
        if (!from || !to || more.length > 0) throw new Cql2Fault('must have two ends in INTERVAL', at)
        return { kind: 'interval', from, to, at }
      }
      case 'CASEI': {
        const [value, ...more] = this.#rest()
        if (!value || more.length > 0) throw new Cql2Fault('must have one operand in CASEI', at)
        return { kind: 'casei', value, at }
      }
      case 'BBOX':
        return { kind: 'bbox', bounds: this.#rest().map(readBound), at }
    }
    const relation = relationNamed(name)
    if (relation === undefined) throw unsupported(`the function ${name}`, at)
    const args = this.#rest()
    if (args.length !== 2) throw new Cql2Fault(`must have two operands in ${name}`, at)
    return { ...relation, args: relation.kind === 'array' ? args.map(asList) : args, at }
  }

  /** The items up to the closing bracket. */
  #rest(): readonly Cql2[] {
    return this.#deeper(() => {
      if (this.#takeSign(')')) return []
      const items = [this.#expression()]
      while (this.#takeSign(',')) items.push(this.#expression())
      this.#expectSign(')')
      return items
    })
  }

  #beginsGeometry(): boolean {
    const { ahead } = this.#tokens
    return ahead.text === '(' || (ahead.kind === 'word' && !ahead.quoted && /^(?:ZM?|M|EMPTY)$/i.test(ahead.text))
  }

  /** WKT has its own parser; it ends where its brackets are closed. */
  #geometry(at: number): Cql2 {
    const { text } = this.#tokens
    const end = endOfBrackets(text, at)
    try {
      const geometry = parseWkt(text.slice(at, end), { lenient: true, maxVertices: this.#limits.vertices })
      this.#tokens.skipTo(end)
      return { kind: 'geometry', geometry, at }
    } catch (error) {
      if (!(error instanceof GeometryFault)) throw error
      throw new Cql2Fault(`has a geometry that ${error.reason}`, at)
    }
  }

  #deeper<T>(read: () => T): T {
    if (++this.#depth > this.#limits.depth) throw new Cql2TooDeep()
    const value = read()
    this.#depth--
    return value
  }

  #isWord(word: string): boolean {
    const { ahead } = this.#tokens
    return ahead.kind === 'word' && !ahead.quoted && ahead.text.toUpperCase() === word
  }

  #take(word: string): boolean {
    if (!this.#isWord(word)) return false
    this.#tokens.next()
    return true
  }

  #takeSign(sign: string): boolean {
    const { ahead } = this.#tokens
    if (ahead.kind !== 'sign' || ahead.text !== sign) return false
    this.#tokens.next()
    return true
  }

  #expectWord(word: string): void {
    if (!this.#take(word)) throw this.#unexpected(word)
  }

  #expectSign(sign: string): void {
    if (!this.#takeSign(sign)) throw this.#unexpected(sign === ')' ? 'a closing bracket or a comma' : sign)
  }

  #unexpected(expected: string): Cql2Fault {
    const { kind, text, at } = this.#tokens.ahead
    const found = kind === 'end' ? 'it ends' : `found ${kind === 'text' ? `'${text}'` : text}`
    return new Cql2Fault(`has a syntax error: expected ${expected}, but ${found}`, at)
  }
}

/** A single value in brackets is a list where a list is expected. */
function asList(node: Cql2): Cql2 {
  return node.kind === 'list' || node.kind === 'property' ? node : { kind: 'list', items: [node], at: node.at }
}

function readBound(node: Cql2): number {
  if (node.kind === 'number') return Number(node.value)
  throw new Cql2Fault('must have numbers in BBOX', node.at)
}

function endOfBrackets(text: string, from: number): number {
  const open = text.indexOf('(', from)
  const isEmpty = /\bEMPTY\b/i.exec(text.slice(from, open < 0 ? undefined : open))
  if (isEmpty !== null) return from + isEmpty.index + isEmpty[0].length
  let depth = 0
  for (let i = open; i >= 0 && i < text.length; i++) {
    if (text[i] === '(') depth++
    else if (text[i] === ')' && --depth === 0) return i + 1
  }
  return text.length
}
