import { type Piece, PieceBuffer } from './split-lines.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const COMMA = 0x2c
const COLON = 0x3a
const NEWLINE = 0x0a

const isSpace = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)

interface SplitResult {
  /** The array was found, even if empty. */
  readonly found: boolean
  /** The file ended before the array did. */
  readonly cutShort: boolean
}

/**
 * Splits a JSON file of any size into the elements of its array, without parsing it: the array under `key` of the root
 * object (the `features` of a FeatureCollection), or the root itself if it is an array. Only brackets and quotes are
 * tracked; the reader of a piece checks that it is valid JSON.
 */
export async function* splitElements(
  chunks: AsyncIterable<Buffer>,
  key: string,
  longest: number,
): AsyncGenerator<readonly Piece[], SplitResult, undefined> {
  const splitter = new ElementSplitter(key, longest)
  for await (const chunk of chunks) {
    const pieces = splitter.push(chunk)
    if (pieces.length > 0) yield pieces
  }
  const last = splitter.end()
  if (last !== undefined) yield [last]
  return { found: splitter.found, cutShort: splitter.isInside }
}

class ElementSplitter {
  readonly #key: string
  readonly #element: PieceBuffer
  /** Number of open brackets, including those of the wanted array and around it. */
  #depth = 0
  /** Depth inside the wanted array, 0 while outside of it. */
  #arrayDepth = 0
  #quoted = false
  #escaped = false
  #line = 1
  #elementLine = 0
  #inElement = false
  /** At depth 1 of the root object: the bytes of the current or last key. */
  #keyText: number[] = []
  #expectsKey = false
  #readsKey = false
  found = false

  constructor(key: string, longest: number) {
    this.#key = key
    this.#element = new PieceBuffer(longest)
  }

  get isInside(): boolean {
    return this.#arrayDepth > 0
  }

  push(chunk: Buffer): readonly Piece[] {
    const pieces: Piece[] = []
    let start = 0
    for (let i = 0; i < chunk.length; i++) {
      if (this.#quoted && !this.#readsKey && !this.#escaped) {
        i = this.#skipQuoted(chunk, i)
        continue
      }
      const byte = chunk[i] ?? 0
      if (byte === NEWLINE) this.#line += 1
      if (this.#quoted) {
        this.#readQuoted(byte)
        continue
      }
      if (this.#arrayDepth === 0) {
        this.#seek(byte)
        continue
      }
      if (!this.#inElement) {
        if (isSpace(byte) || byte === COMMA) continue
        if (byte !== CLOSE_ARRAY) {
          this.#inElement = true
          this.#elementLine = this.#line
          start = i
        }
      }
      const outermost = this.#depth === this.#arrayDepth
      if (this.#inElement && outermost && (byte === COMMA || byte === CLOSE_ARRAY)) {
        // A value without brackets ends where the next begins.
        this.#element.add(chunk.subarray(start, i))
        pieces.push(this.#finish())
      }
      this.#count(byte)
      if (this.#inElement && (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) && this.#depth === this.#arrayDepth) {
        this.#element.add(chunk.subarray(start, i + 1))
        pieces.push(this.#finish())
      }
      if (this.#depth < this.#arrayDepth) this.#arrayDepth = 0
    }
    if (this.#inElement) this.#element.add(chunk.subarray(start))
    return pieces
  }

  /** Returns the rest if the file ends inside an element. */
  end(): Piece | undefined {
    return this.#inElement ? this.#finish() : undefined
  }

  #finish(): Piece {
    this.#inElement = false
    return this.#element.take(this.#elementLine)
  }

  /**
   * Returns the offset of the closing quote, or the end of the chunk. Most bytes of a file are inside strings, so these
   * are skipped quickly.
   */
  #skipQuoted(chunk: Buffer, start: number): number {
    for (let from = start; ; ) {
      const quote = chunk.indexOf(QUOTE, from)
      const end = quote < 0 ? chunk.length : quote
      let slashes = 0
      while (end - slashes > from && chunk[end - slashes - 1] === BACKSLASH) slashes += 1
      const isEscaped = slashes % 2 === 1
      if (quote < 0) {
        this.#escaped = isEscaped
        return end
      }
      if (!isEscaped) {
        this.#quoted = false
        return end
      }
      from = quote + 1
    }
  }

  #readQuoted(byte: number): void {
    if (this.#escaped) this.#escaped = false
    else if (byte === BACKSLASH) this.#escaped = true
    else if (byte === QUOTE) {
      this.#quoted = false
      this.#readsKey = false
      return
    }
    if (this.#readsKey && this.#keyText.length < 100) this.#keyText.push(byte)
  }

  /** Outside the array: looks for its key, or for a root that is an array. */
  #seek(byte: number): void {
    if (this.#depth === 1 && byte === QUOTE && this.#expectsKey) {
      this.#readsKey = true
      this.#keyText = []
    }
    if (byte === OPEN_ARRAY && (this.#depth === 0 || (this.#depth === 1 && this.#isWantedKey()))) {
      this.#arrayDepth = this.#depth + 1
      this.found = true
    }
    this.#count(byte)
    if (this.#depth === 1) {
      if (byte === OPEN_OBJECT || byte === COMMA) this.#expectsKey = true
      else if (byte === COLON) this.#expectsKey = false
    }
  }

  #isWantedKey(): boolean {
    return !this.#expectsKey && Buffer.from(this.#keyText).toString('utf8') === this.#key
  }

  #count(byte: number): void {
    if (byte === QUOTE) this.#quoted = true
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) this.#depth += 1
    else if ((byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) && this.#depth > 0) this.#depth -= 1
  }
}
