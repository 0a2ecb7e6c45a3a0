import { readSync } from 'node:fs'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { Turn } from '../../../turn.ts'
import { stopping } from '../database/read-slots.ts'
import { gatherPieces, type SourcePiece, type SourcePlace } from './source-pieces.ts'

/** Milliseconds of synchronous reading before checking whether reads are slow and whether to yield. */
const LOOK_MS = 1

/** Milliseconds. A read that takes longer was large or not cached, or the process was suspended. */
const SLOW_MS = 0.05

/**
 * At least this many slow reads, and more than one in `SLOW_SHARE`, mean that the data is not cached. Reading on
 * synchronously would then block all other requests.
 */
const SLOW_READS = 3
const SLOW_SHARE = 4

/** Number of parallel asynchronous reads. */
const PARALLEL = 8

/** Where an index has its documents: a source file, or one that refers to opened files. */
export type Sources = Pick<SourceFile, keyof SourceFile>

/**
 * JSON texts of the documents of an index, one after the other. The catalog defines which bytes are valid. These never
 * change and bytes are only appended, so a reader of an older snapshot still finds its data.
 */
export class SourceFile {
  readonly #path: string
  readonly #handle: FileHandle
  #holders = 0
  #closing = false

  private constructor(path: string, handle: FileHandle) {
    this.#path = path
    this.#handle = handle
  }

  /** Creates an empty file, replacing what a failed attempt left under its name. */
  static async create(path: string): Promise<SourceFile> {
    return new SourceFile(path, await open(path, 'w+', 0o600))
  }

  static async open(path: string): Promise<SourceFile> {
    return new SourceFile(path, await open(path, 'r+'))
  }

  async size(): Promise<number> {
    return (await this.#handle.stat()).size
  }

  /** Writes all `parts` in sequence, starting at offset `at`. They are durable after the next `sync`. */
  async write(at: number, parts: readonly Uint8Array[]): Promise<void> {
    let next = at
    for (const part of parts) {
      for (let done = 0; done < part.length; ) {
        const { bytesWritten } = await this.#handle.write(part, done, part.length - done, next + done)
        done += bytesWritten
      }
      next += part.length
    }
  }

  sync(): Promise<void> {
    return this.#handle.datasync()
  }

  /**
   * Reads the given extents and returns their bytes in the same order. Data in the page cache is read synchronously,
   * which takes a seventh of the time of an asynchronous read. If that turns out slow, the rest is read asynchronously.
   */
  async read(places: readonly SourcePlace[]): Promise<readonly Buffer[]> {
    const waiting = gatherPieces(places).toReversed()
    const found = new Array<Buffer>(places.length)
    const take = (piece: SourcePiece, bytes: Buffer): void => {
      for (const number of piece.places) {
        const { at, size } = places[number] ?? piece
        found[number] = bytes.subarray(at - piece.at, at - piece.at + size)
      }
    }
    const pieces = waiting.length
    const turn = new Turn()
    let slow = 0
    while (waiting.length > 0) {
      slow += this.#readAWhile(waiting, take)
      if (waiting.length === 0) break
      const isSlow = slow >= SLOW_READS && slow * SLOW_SHARE > pieces - waiting.length
      if (isSlow) await this.#readBeside(waiting, take)
      else if (turn.isOver) await turn.next()
    }
    return found
  }

  /** Keeps the file open until `release`, even if the index is dropped meanwhile. */
  hold(): void {
    if (this.#closing) throw stopping()
    this.#holders++
  }

  async release(): Promise<void> {
    this.#holders--
    await this.#closeUnheld()
  }

  /** Closes the file once no one holds it. It cannot be held again. */
  async close(): Promise<void> {
    this.#closing = true
    await this.#closeUnheld()
  }

  /** Like `close`, and unlinks the file immediately. */
  async remove(): Promise<void> {
    await this.close()
    await unlink(this.#path)
  }

  async #closeUnheld(): Promise<void> {
    if (this.#closing && this.#holders === 0) await this.#handle.close()
  }

  /** Takes pieces from the end of `waiting` and reads them synchronously. Returns how many reads were slow. */
  #readAWhile(waiting: SourcePiece[], take: (piece: SourcePiece, bytes: Buffer) => void): number {
    const begun = performance.now()
    let slow = 0
    for (let now = begun; now - begun < LOOK_MS; ) {
      const piece = waiting.pop()
      if (!piece) break
      const bytes = Buffer.allocUnsafe(piece.size)
      checkWhole(piece, readSync(this.#handle.fd, bytes, 0, piece.size, piece.at))
      take(piece, bytes)
      const done = performance.now()
      if (done - now > SLOW_MS) slow++
      now = done
    }
    return slow
  }

  async #readBeside(waiting: SourcePiece[], take: (piece: SourcePiece, bytes: Buffer) => void): Promise<void> {
    const readOn = async (): Promise<void> => {
      for (let piece = waiting.pop(); piece; piece = waiting.pop()) {
        const bytes = Buffer.allocUnsafe(piece.size)
        checkWhole(piece, (await this.#handle.read(bytes, 0, piece.size, piece.at)).bytesRead)
        take(piece, bytes)
      }
    }
    await Promise.all(Array.from({ length: PARALLEL }, readOn))
  }
}

function checkWhole(piece: SourcePiece, count: number): void {
  if (count < piece.size) throw new Error(`the source file ends at byte ${piece.at + count}, inside a document`)
}
