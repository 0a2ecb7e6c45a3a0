/** A part of an input with the number of its first line; without bytes if it was too long to keep. */
export interface Piece {
  readonly line: number
  readonly bytes: Buffer
  readonly tooLong: boolean
}

const NEWLINE = 0x0a
const RETURN = 0x0d

/** Splits bytes at line ends (LF or CRLF), chunk by chunk; blank lines are skipped but counted. */
export async function* splitLines(
  chunks: AsyncIterable<Buffer>,
  longest: number,
): AsyncGenerator<readonly Piece[], void, undefined> {
  const kept = new PieceBuffer(longest)
  let line = 1
  for await (const chunk of chunks) {
    const lines: Piece[] = []
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      kept.add(chunk.subarray(start, end))
      pushLine(lines, kept.take(line))
      line += 1
      start = end + 1
    }
    kept.add(chunk.subarray(start))
    if (lines.length > 0) yield lines
  }
  const last: Piece[] = []
  pushLine(last, kept.take(line))
  if (last.length > 0) yield last
}

function pushLine(into: Piece[], piece: Piece): void {
  const { bytes } = piece
  const end = bytes.at(-1) === RETURN ? bytes.length - 1 : bytes.length
  let start = 0
  while (start < end && (bytes[start] === 0x20 || bytes[start] === 0x09)) start += 1
  if (start < end) into.push({ ...piece, bytes: bytes.subarray(0, end) })
}

/** Collects the parts of a piece that spans chunks, and drops them when it grows beyond `longest` bytes. */
export class PieceBuffer {
  readonly #longest: number
  #parts: Buffer[] = []
  #size = 0
  #tooLong = false

  constructor(longest: number) {
    this.#longest = longest
  }

  add(part: Buffer): void {
    if (part.length === 0) return
    this.#size += part.length
    if (this.#size <= this.#longest) this.#parts.push(part)
    else if (!this.#tooLong) {
      // The first bytes are enough to identify the document.
      this.#parts = [Buffer.from(Buffer.concat([...this.#parts, part]).subarray(0, 200))]
      this.#tooLong = true
    }
  }

  take(line: number): Piece {
    const [only] = this.#parts
    const bytes = this.#parts.length === 1 && only !== undefined ? only : Buffer.concat(this.#parts)
    const piece = { line, bytes, tooLong: this.#tooLong }
    this.#parts = []
    this.#size = 0
    this.#tooLong = false
    return piece
  }
}
