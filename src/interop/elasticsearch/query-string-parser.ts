import { fault } from './members.ts'
import type { RangeEnd } from './value-queries.ts'

/** A query in the syntax of Lucene. */
export type QueryNode =
  | { readonly kind: 'field'; readonly path: string; readonly member: QueryNode }
  | {
      readonly kind: 'clauses'
      readonly required: readonly QueryNode[]
      readonly optional: readonly QueryNode[]
      readonly excluded: readonly QueryNode[]
    }
  /** `text` of a pattern still has its backslashes. */
  | { readonly kind: 'word'; readonly text: string; readonly isPattern: boolean }
  | { readonly kind: 'phrase'; readonly text: string; readonly slop: number }
  | { readonly kind: 'fuzzy'; readonly text: string; readonly edits: number }
  | { readonly kind: 'regexp'; readonly text: string }
  | { readonly kind: 'range'; readonly lower?: RangeEnd; readonly upper?: RangeEnd }

interface SyntaxOptions {
  /** Words next to each other are joined by AND. */
  readonly isAnd: boolean
  /** Maximum nesting of brackets. */
  readonly depth: number
  /** Maximum number of words and ranges. */
  readonly most: number
  readonly place: string
}

interface Clause {
  node: QueryNode
  occurs: 'required' | 'optional' | 'excluded'
}

const BLANK = /\s/
const ENDS_WORD = /[\s()[\]{}":^~]/

/** Parses a query string. Joins are those of Lucene: AND and OR have no precedence, `+` and `-` decide on their own. */
export function parseQueryString(text: string, options: SyntaxOptions): QueryNode {
  const parser = new QueryStringParser(text, options)
  const node = parser.clauses(0)
  if (!parser.isOver) throw parser.fail("must not have ')' without '('")
  return node
}

class QueryStringParser {
  readonly #text: string
  readonly #options: SyntaxOptions
  #at = 0
  #count = 0

  constructor(text: string, options: SyntaxOptions) {
    this.#text = text
    this.#options = options
  }

  get isOver(): boolean {
    return this.#at >= this.#text.length
  }

  fail(rule: string): Error {
    return fault(this.#options.place, `${rule} (position ${this.#at + 1})`, this.#text)
  }

  clauses(depth: number): QueryNode {
    if (depth > this.#options.depth) throw this.fail('must have fewer nested brackets')
    const clauses: Clause[] = []
    for (;;) {
      this.#skipBlanks()
      if (this.isOver || this.#peek() === ')') break
      this.#addClause(clauses, depth)
    }
    const [only] = clauses
    if (clauses.length === 1 && only && only.occurs !== 'excluded') return only.node
    const those = (occurs: Clause['occurs']) => clauses.flatMap((c) => (c.occurs === occurs ? [c.node] : []))
    return { kind: 'clauses', required: those('required'), optional: those('optional'), excluded: those('excluded') }
  }

  #addClause(clauses: Clause[], depth: number): void {
    if (++this.#count > this.#options.most) throw this.fail('must have fewer words')
    const { isAnd } = this.#options
    const joint = this.#joint()
    const sign = this.#sign()
    const last = clauses.at(-1)
    if (joint !== undefined && !last) throw this.fail(`must have something before ${joint}`)
    if (last && last.occurs !== 'excluded') {
      if (joint === 'AND') last.occurs = 'required'
      if (joint === 'OR' && isAnd) last.occurs = 'optional'
    }
    const isRequired = sign === '+' || joint === 'AND' || (isAnd && joint !== 'OR')
    clauses.push({
      node: this.#clause(depth),
      occurs: sign === '-' ? 'excluded' : isRequired ? 'required' : 'optional',
    })
  }

  #joint(): 'AND' | 'OR' | undefined {
    const match = /^(?:(AND|OR)(?=[\s(])|(&&|\|\|))\s*/.exec(this.#rest())
    if (match === null) return undefined
    this.#at += match[0].length
    return match[1] === 'AND' || match[2] === '&&' ? 'AND' : 'OR'
  }

  #sign(): '+' | '-' | undefined {
    const match = /^(?:(NOT)(?=[\s(])|[+!-])\s*/.exec(this.#rest())
    if (match === null) return undefined
    this.#at += match[0].length
    return match[0].startsWith('+') ? '+' : '-'
  }

  #clause(depth: number): QueryNode {
    const path = /^((?:\\.|[^\s()[\]{}":^~/+!\\-])(?:\\.|[^\s()[\]{}":^~\\])*):/.exec(this.#rest())
    if (path === null) return this.#primary(depth)
    this.#at += path[0].length
    this.#skipBlanks()
    return { kind: 'field', path: literalOf(path[1] ?? ''), member: this.#primary(depth) }
  }

  #primary(depth: number): QueryNode {
    const node = this.#bare(depth)
    const boost = /^\^\d*\.?\d*/.exec(this.#rest())
    if (boost !== null) this.#at += boost[0].length
    return node
  }

  #bare(depth: number): QueryNode {
    switch (this.#peek()) {
      case '(': {
        this.#at++
        const inner = this.clauses(depth + 1)
        if (this.#peek() !== ')') throw this.fail("must have a ')' for every '('")
        this.#at++
        return inner
      }
      case '"':
        return this.#phrase()
      case '[':
      case '{':
        return this.#range()
      case '/': {
        const pattern = /^\/((?:\\.|[^\\/])*)\//.exec(this.#rest())
        if (pattern === null) throw this.fail('must have a / at the end of a regular expression')
        this.#at += pattern[0].length
        return { kind: 'regexp', text: (pattern[1] ?? '').replaceAll('\\/', '/') }
      }
      case '<':
      case '>':
        return this.#comparison()
      default:
        return this.#word()
    }
  }

  #word(): QueryNode {
    const raw = this.#rawWord()
    if (raw === '') throw this.fail('must have a word here')
    const fuzzy = /^~(\d?)(?:\.\d*)?/.exec(this.#rest())
    if (fuzzy !== null) {
      this.#at += fuzzy[0].length
      return { kind: 'fuzzy', text: literalOf(raw), edits: Math.min(2, Number(fuzzy[1] === '' ? 2 : fuzzy[1])) }
    }
    const isPattern = /(?:^|[^\\])(?:\\\\)*[*?]/.test(raw)
    return { kind: 'word', text: isPattern ? raw : literalOf(raw), isPattern }
  }

  #rawWord(): string {
    const start = this.#at
    while (!this.isOver && !ENDS_WORD.test(this.#peek())) this.#at += this.#peek() === '\\' ? 2 : 1
    return this.#text.slice(start, this.#at)
  }

  #phrase(): QueryNode {
    const match = /^"((?:\\[\s\S]|[^"\\])*)"(?:~(\d{1,6}))?/.exec(this.#rest())
    if (match === null) throw this.fail('must have a closing quote')
    this.#at += match[0].length
    return { kind: 'phrase', text: literalOf(match[1] ?? ''), slop: Number(match[2] ?? 0) }
  }

  #range(): QueryNode {
    const match = RANGE.exec(this.#rest())
    if (match === null) throw this.fail('must have a range such as [1 TO 5]')
    this.#at += match[0].length
    const [, open, from, to, close] = match
    const end = (raw: string | undefined, name: string, inclusive: boolean): RangeEnd | undefined =>
      raw === undefined || raw === '*'
        ? undefined
        : { name, value: literalOf(raw.replace(/^"(.*)"$/s, '$1')), inclusive }
    return rangeOf(end(from, 'from', open === '['), end(to, 'to', close === ']'))
  }

  /** `>=5` after the name of a field. */
  #comparison(): QueryNode {
    const match = /^(<=|>=|<|>)\s*/.exec(this.#rest())
    this.#at += match?.[0].length ?? 0
    const operator = match?.[1] ?? ''
    const quoted = /^"((?:\\[\s\S]|[^"\\])*)"/.exec(this.#rest())
    if (quoted !== null) this.#at += quoted[0].length
    const value = literalOf(quoted?.[1] ?? this.#rawWord())
    if (value === '') throw this.fail('must have a value here')
    const end = { name: operator, value, inclusive: operator.endsWith('=') }
    return operator.startsWith('>') ? rangeOf(end, undefined) : rangeOf(undefined, end)
  }

  #rest(): string {
    return this.#text.slice(this.#at)
  }

  #peek(): string {
    return this.#text.charAt(this.#at)
  }

  #skipBlanks(): void {
    while (!this.isOver && BLANK.test(this.#peek())) this.#at++
  }
}

const RANGE = /^([[{])\s*("(?:\\[\s\S]|[^"\\])*"|[^\s\]}]+)\s+TO\s+("(?:\\[\s\S]|[^"\\])*"|[^\s\]}]+)\s*([\]}])/

const rangeOf = (lower: RangeEnd | undefined, upper: RangeEnd | undefined): QueryNode => ({
  kind: 'range',
  ...(lower === undefined ? {} : { lower }),
  ...(upper === undefined ? {} : { upper }),
})

const literalOf = (text: string): string => text.replaceAll(/\\(.)/gs, '$1')
