import type { Readable } from 'node:stream'

/** Takes runs of bytes of a known length from a stream. */
export class ByteReader {
  readonly #stream: Readable
  readonly #chunks: AsyncIterator<unknown>
  #buffer: Buffer = Buffer.alloc(0)
  #at = 0

  constructor(stream: Readable) {
    this.#stream = stream
    this.#chunks = stream[Symbol.asyncIterator]()
  }

  /** Returns the next bytes; undefined if the stream ends before. */
  async take(length: number): Promise<Buffer | undefined> {
    const parts: Buffer[] = [this.#buffer.subarray(this.#at)]
    let has = this.#buffer.length - this.#at
    while (has < length) {
      const next = await this.#chunks.next()
      if (next.done === true) return undefined
      const chunk = Buffer.isBuffer(next.value) ? next.value : Buffer.from(String(next.value))
      parts.push(chunk)
      has += chunk.length
    }
    if (parts.length > 1) {
      this.#buffer = Buffer.concat(parts)
      this.#at = 0
    }
    const taken = this.#buffer.subarray(this.#at, this.#at + length)
    this.#at += length
    return taken
  }

  close(): void {
    this.#stream.destroy()
  }
}
