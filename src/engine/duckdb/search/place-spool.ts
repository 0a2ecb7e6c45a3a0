import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'

/** Identifier and source extent of a document. */
export interface SpooledPlace {
  readonly id: string
  readonly at: number
  readonly size: number
}

/** A batch has at most so many documents, and ends with the document that reaches so many bytes. */
export interface BatchLimits {
  readonly documents: number
  readonly bytes: number
}

/** Divides extents into batches. */
class PlaceBatches {
  readonly #limits: BatchLimits
  #batch: SpooledPlace[] = []
  #bytes = 0

  constructor(limits: BatchLimits) {
    this.#limits = limits
  }

  /** Returns the batch that became full. */
  add(place: SpooledPlace): readonly SpooledPlace[] | undefined {
    this.#batch.push(place)
    this.#bytes += place.size
    if (this.#batch.length < this.#limits.documents && this.#bytes < this.#limits.bytes) return undefined
    const batch = this.#batch
    this.#batch = []
    this.#bytes = 0
    return batch
  }

  *rest(): Iterable<readonly SpooledPlace[]> {
    if (this.#batch.length > 0) yield this.#batch
  }
}

export function* inBatches(places: readonly SpooledPlace[], limits: BatchLimits): Iterable<readonly SpooledPlace[]> {
  const batches = new PlaceBatches(limits)
  for (const place of places) {
    const full = batches.add(place)
    if (full) yield full
  }
  yield* batches.rest()
}

/** Bytes kept in memory. More are written to a file. */
const MOST_IN_MEMORY = 8 * 1024 * 1024
const FIRST_BYTES = 64 * 1024

/** Bytes of an entry before the identifier: offset (8 bytes), size and identifier length (4 bytes each). */
const HEADER = 16

/**
 * Queue of any number of document extents: in memory up to a limit, then in a file. The file is unlinked as soon as it
 * is open, so that it never outlives the process.
 */
export class PlaceSpool {
  readonly #directory: string
  #bytes = Buffer.allocUnsafe(FIRST_BYTES)
  #end = 0
  #count = 0
  #file: FileHandle | undefined
  #fileEnd = 0

  constructor(directory: string) {
    this.#directory = directory
  }

  get count(): number {
    return this.#count
  }

  async add(places: Iterable<SpooledPlace>): Promise<void> {
    for (const place of places) this.#put(place)
    if (this.#end >= MOST_IN_MEMORY) await this.#flush()
  }

  /** Returns all entries in batches, see BatchLimits. */
  async *read(limits: BatchLimits): AsyncIterable<readonly SpooledPlace[]> {
    const waiting: Buffer[] = []
    const batches = new PlaceBatches(limits)
    for await (const piece of this.#pieces()) {
      const bytes = waiting.length === 0 ? piece : Buffer.concat([...waiting, piece])
      waiting.length = 0
      let at = 0
      while (at + HEADER <= bytes.length) {
        const next = at + HEADER + bytes.readUInt32LE(at + 12)
        if (next > bytes.length) break
        const full = batches.add({
          at: Number(bytes.readBigUInt64LE(at)),
          size: bytes.readUInt32LE(at + 8),
          id: bytes.toString('utf8', at + HEADER, next),
        })
        at = next
        if (full) yield full
      }
      if (at < bytes.length) waiting.push(bytes.subarray(at))
    }
    yield* batches.rest()
  }

  async close(): Promise<void> {
    await this.#file?.close()
    this.#file = undefined
  }

  #put({ id, at, size }: SpooledPlace): void {
    const most = HEADER + id.length * 3
    if (this.#end + most > this.#bytes.length) {
      const grown = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#end + most))
      this.#bytes.copy(grown, 0, 0, this.#end)
      this.#bytes = grown
    }
    const length = this.#bytes.write(id, this.#end + HEADER)
    this.#bytes.writeBigUInt64LE(BigInt(at), this.#end)
    this.#bytes.writeUInt32LE(size, this.#end + 8)
    this.#bytes.writeUInt32LE(length, this.#end + 12)
    this.#end += HEADER + length
    this.#count++
  }

  async #flush(): Promise<void> {
    this.#file ??= await this.#makeFile()
    for (let done = 0; done < this.#end; ) {
      const { bytesWritten } = await this.#file.write(this.#bytes, done, this.#end - done, this.#fileEnd + done)
      done += bytesWritten
    }
    this.#fileEnd += this.#end
    this.#end = 0
  }

  async #makeFile(): Promise<FileHandle> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 })
    const path = join(this.#directory, `places-${randomUUID()}`)
    const file = await open(path, 'wx+', 0o600)
    await unlink(path)
    return file
  }

  /** Yields the written bytes in pieces. An entry may span several pieces. */
  async *#pieces(): AsyncIterable<Buffer> {
    for (let at = 0; this.#file && at < this.#fileEnd; ) {
      const piece = Buffer.allocUnsafe(Math.min(FIRST_BYTES, this.#fileEnd - at))
      const { bytesRead } = await this.#file.read(piece, 0, piece.length, at)
      if (bytesRead === 0) throw new Error('unexpected end of a spool file')
      at += bytesRead
      yield piece.subarray(0, bytesRead)
    }
    yield this.#bytes.subarray(0, this.#end)
  }
}
