import { Cql2Fault } from './cql2-fault.ts'

export type Token =
  /** An identifier or keyword; `quoted` ones are always names of properties. */
  | { readonly kind: 'word'; readonly text: string; readonly quoted: boolean; readonly at: number }
  | { readonly kind: 'text'; readonly text: string; readonly at: number }
  | { readonly kind: 'number'; readonly text: string; readonly at: number }
  | { readonly kind: 'sign'; readonly text: string; readonly at: number }
  | { readonly kind: 'end'; readonly text: ''; readonly at: number }

const SPACE = /\s*/y
const WORD = /[\p{L}_:$][\p{L}\p{M}\p{N}_:.$]*/uy
const NUMBER = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y
const SIGN = /<>|<=|>=|[=<>(),+\-*/^%]/y

/** Reads the tokens of a CQL2 text on demand. */
export class TextTokens {
  readonly text: string
  #end = 0
  #ahead: Token

  constructor(text: string) {
    this.text = text
    this.#ahead = this.#read()
  }

  /** The next token, not consumed. */
  get ahead(): Token {
    return this.#ahead
  }

  next(): Token {
    const token = this.#ahead
    if (token.kind !== 'end') this.#ahead = this.#read()
    return token
  }

  /** Continues at an offset, after a part of the text that another parser reads. */
  skipTo(end: number): void {
    this.#end = end
    this.#ahead = this.#read()
  }

  #read(): Token {
    this.#match(SPACE)
    const at = this.#end
    if (at >= this.text.length) return { kind: 'end', text: '', at }
    const first = this.text[at]
    if (first === "'") return { kind: 'text', text: this.#quoted("'", at), at }
    if (first === '"') return { kind: 'word', text: this.#quoted('"', at), quoted: true, at }
    const number = this.#match(NUMBER)
    if (number !== undefined) return { kind: 'number', text: number, at }
    const word = this.#match(WORD)
    if (word !== undefined) return { kind: 'word', text: word, quoted: false, at }
    const sign = this.#match(SIGN)
    if (sign !== undefined) return { kind: 'sign', text: sign, at }
    const character = String.fromCodePoint(this.text.codePointAt(at) ?? 0)
    throw new Cql2Fault(`has a syntax error: unexpected ${character}`, at)
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#end
    const found = pattern.exec(this.text)?.[0]
    if (found !== undefined) this.#end += found.length
    return found
  }

  /** A text between quotes; a quote in it is doubled, or in a literal after a backslash. */
  #quoted(quote: string, at: number): string {
    let value = ''
    for (let i = at + 1; i < this.text.length; i++) {
      const character = this.text[i] ?? ''
      if (character === '\\' && quote === "'" && this.text[i + 1] === quote) {
        value += quote
        i++
      } else if (character !== quote) {
        value += character
      } else if (this.text[i + 1] === quote) {
        value += quote
        i++
      } else {
        this.#end = i + 1
        return value
      }
    }
    throw new Cql2Fault(`has a syntax error: expected a closing ${quote}`, this.text.length)
  }
}
