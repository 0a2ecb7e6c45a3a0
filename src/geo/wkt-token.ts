import { GeometryFault } from './geometry-fault.ts'

/** A word in upper case, a number, a bracket or a comma. */
export type Token = string | number

/** Stands for text that is no token. */
const UNREADABLE = '?'
const TOKEN = /\s*(?:([A-Za-z]+)|([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(?=[\s,()]|$)|([(),]))\s*/y

/** The tokens of a WKT text, read one after the other as they are asked for. */
export class WktTokens {
  readonly #text: string
  #end = 0
  #ahead: Token | undefined

  constructor(text: string) {
    this.#text = text
    this.#ahead = this.#read()
  }

  /** The next token, left in place; undefined at the end, `UNREADABLE` when what follows is no token. */
  get ahead(): Token | undefined {
    return this.#ahead
  }

  next(): Token | undefined {
    const token = this.#ahead
    if (token === UNREADABLE) throw new GeometryFault(`is not WKT at character ${this.#end + 1}`)
    this.#ahead = this.#read()
    return token
  }

  #read(): Token | undefined {
    if (this.#end === this.#text.length) return undefined
    TOKEN.lastIndex = this.#end
    const match = TOKEN.exec(this.#text)
    if (!match) return UNREADABLE
    this.#end = TOKEN.lastIndex
    const [, word, number, sign] = match
    // Adding zero turns -0, which differs from 0 in no place on the globe, into 0.
    return word !== undefined ? word.toUpperCase() : number !== undefined ? Number(number) + 0 : sign
  }
}
