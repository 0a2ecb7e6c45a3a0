import { isUtf8 } from 'node:buffer'
import { isJsonSpace } from './json-check.ts'

const NEWLINE = 0x0a

/** Iterates over the lines of a body; surrounding white space is skipped. */
export class BulkLines {
  readonly body: Buffer
  readonly allUtf8: boolean
  /** Number of the current line, from 1. */
  number = 0
  /** Offset of the current line in the body. */
  start = 0
  end = 0
  #next = 0

  constructor(body: Buffer, allUtf8: boolean) {
    this.body = body
    this.allUtf8 = allUtf8
  }

  /** Moves to the next line; false after the last one. */
  next(): boolean {
    const { body } = this
    if (this.#next >= body.length) return false
    const newline = body.indexOf(NEWLINE, this.#next)
    this.start = this.#next
    this.end = newline < 0 ? body.length : newline
    this.#next = this.end + 1
    this.number++
    while (this.start < this.end && isJsonSpace(body[this.start] ?? 0)) this.start++
    while (this.end > this.start && isJsonSpace(body[this.end - 1] ?? 0)) this.end--
    return true
  }

  /** Text of the current line; undefined if it is not valid UTF-8. */
  get text(): string | undefined {
    const known = this.allUtf8 || isUtf8(this.body.subarray(this.start, this.end))
    return known ? this.body.toString('utf8', this.start, this.end) : undefined
  }

  isBlank(): boolean {
    if (this.start === this.end) return true
    const first = this.body[this.start] ?? 0
    // Only control characters and white space outside ASCII need a closer look.
    return (first > 127 || first < 0x20) && this.text?.trim() === ''
  }
}
