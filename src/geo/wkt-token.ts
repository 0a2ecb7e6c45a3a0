import { GeometryFault } from './geometry-fault.ts'

/** A word in upper case, a number, a bracket or a comma. */
type Token = string | number

/** Token for invalid text. */
const UNREADABLE = '?'
const TOKEN = /\s*(?:([A-Za-z]+)|([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(?=[\s,()]|$)|([(),]))\s*/y

/** Reads the tokens of a WKT text on demand. */
export class WktTokens {
  readonly #text: string
  #end = 0
  #ahead: Token | undefined

  constructor(text: string) {
    this.#text = text
    this.#ahead = this.#read()
  }

  /** The next token, not consumed; undefined at the end, `UNREADABLE` for invalid text. */
  get ahead(): Token | undefined {
    return this.#ahead
  }

  next(): Token | undefined {
    const token = this.#ahead
    if (token === UNREADABLE) throw new GeometryFault(`is not valid WKT at character ${this.#end + 1}`)
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
    // Adding zero turns -0 into 0; both are the same coordinate.
    return word !== undefined ? word.toUpperCase() : number !== undefined ? Number(number) + 0 : sign
  }
}
