/** A row of a delimited text, or an invalid line, with the number of its first line. */
export type CellRow =
  | { readonly line: number; readonly cells: readonly string[] }
  | { readonly line: number; readonly reason: string; readonly text: string }

/** Characters. A longer quoted cell is treated as an unclosed quote. */
const LONGEST_CELL = 16 * 1024 * 1024

/**
 * Splits CSV (RFC 4180, any one-character delimiter) into rows of cells as text arrives. An error affects only its own
 * line: after an unclosed quote, splitting continues with the next line.
 */
export class CellSplitter {
  readonly #delimiter: string
  readonly #longest: number
  #text = ''
  #line = 1

  constructor(delimiter: string, longest = LONGEST_CELL) {
    this.#delimiter = delimiter
    this.#longest = longest
  }

  /** Text whose row is not complete. */
  get pending(): string {
    return this.#text
  }

  push(text: string): readonly CellRow[] {
    this.#text += text
    return this.#take(false)
  }

  end(): readonly CellRow[] {
    return this.#take(true)
  }

  #take(isEnd: boolean): readonly CellRow[] {
    const rows: CellRow[] = []
    let at = 0
    while (at < this.#text.length) {
      const newline = this.#text.indexOf('\n', at)
      if (newline < 0 && !isEnd) break
      const end = newline < 0 ? this.#text.length : newline
      const line = this.#text.slice(at, this.#text[end - 1] === '\r' && newline >= 0 ? end - 1 : end)
      if (!line.includes('"')) {
        if (line.trim() !== '') rows.push({ line: this.#line, cells: line.split(this.#delimiter) })
        at = end + 1
        this.#line += 1
        continue
      }
      const row = this.#readQuoted(at, isEnd)
      if (row === 'more') break
      if (typeof row === 'string') {
        rows.push({ line: this.#line, reason: row, text: line })
        at = end + 1
        this.#line += 1
        continue
      }
      rows.push({ line: this.#line, cells: row.cells })
      this.#line += countNewlines(this.#text, at, row.next)
      at = row.next
    }
    this.#text = this.#text.slice(at)
    return rows
  }

  /** Reads a row with at least one quote. Returns `more` if its end has not arrived, or an error text. */
  #readQuoted(start: number, isEnd: boolean): { readonly cells: readonly string[]; readonly next: number } | string {
    const cells: string[] = []
    let at = start
    for (;;) {
      let end: number
      if (this.#text[at] === '"') {
        const close = this.#closingQuote(at)
        // The last quote received may be the first half of a doubled one.
        if (close < 0 || (close + 1 >= this.#text.length && !isEnd)) {
          const isHopeless = isEnd || this.#text.length - start > this.#longest
          return isHopeless ? 'has an unclosed quote' : 'more'
        }
        cells.push(this.#text.slice(at + 1, close).replaceAll('""', '"'))
        end = close + 1
        if (this.#text[end] === '\r' && this.#text[end + 1] === '\n') end += 1
        const follows = this.#text[end]
        if (follows !== undefined && follows !== this.#delimiter && follows !== '\n') {
          return follows === '\r' && end + 1 >= this.#text.length && !isEnd ? 'more' : 'has text after a closing quote'
        }
      } else {
        end = this.#endOfPlain(at)
        if (end >= this.#text.length && !isEnd) return 'more'
        const cell = this.#text.slice(at, end)
        cells.push(this.#text[end] === '\n' && cell.endsWith('\r') ? cell.slice(0, -1) : cell)
      }
      if (this.#text[end] !== this.#delimiter) return { cells, next: end + 1 }
      at = end + 1
    }
  }

  #closingQuote(open: number): number {
    let at = this.#text.indexOf('"', open + 1)
    while (at >= 0 && this.#text[at + 1] === '"') at = this.#text.indexOf('"', at + 2)
    return at
  }

  #endOfPlain(start: number): number {
    const newline = this.#text.indexOf('\n', start)
    const line = newline < 0 ? this.#text.length : newline
    const delimiter = this.#text.indexOf(this.#delimiter, start)
    return delimiter < 0 || delimiter > line ? line : delimiter
  }
}

function countNewlines(text: string, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) count += 1
  return count
}
