import { readSync } from 'node:fs'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { Turn } from '../../../turn.ts'
import { stopping } from '../database/read-slots.ts'
import { gatherPieces, type SourcePiece, type SourcePlace } from './source-pieces.ts'

/** A look at how slow reading is, and whether others are to have their turn, after this many ms. */
const LOOK_MS = 1

/** A read that takes longer was large or not from memory, or the process was held up. */
const SLOW_MS = 0.05

/** So many slow reads, and more than one in `SLOW_SHARE`, are no accident: waiting for them would hold up everybody. */
const SLOW_READS = 3
const SLOW_SHARE = 4

/** Slow pieces that are read at once. */
const PARALLEL = 8

/**
 * The JSON texts of the documents of an index, one after the other. Which bytes count is told by the catalog: they never
 * change, and bytes are only added behind them, so a reader of an older snapshot finds what was there before.
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

  /** A new, empty file; what a failed attempt left under its name goes. */
  static async create(path: string): Promise<SourceFile> {
    return new SourceFile(path, await open(path, 'w+', 0o600))
  }

  static async open(path: string): Promise<SourceFile> {
    return new SourceFile(path, await open(path, 'r+'))
  }

  async size(): Promise<number> {
    return (await this.#handle.stat()).size
  }

  /** Writes all of `parts`, one after the other, from `at` on; they are on disk after the next `sync`. */
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
   * The bytes at the given places, in their order. What the system has in memory is read on the spot, which takes a
   * seventh of the time of handing each read to another thread; once that proves slow, the rest is handed on.
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

  /** Keeps the file open until it is released, whatever becomes of the index meanwhile. */
  hold(): void {
    if (this.#closing) throw stopping()
    this.#holders++
  }

  async release(): Promise<void> {
    this.#holders--
    await this.#closeUnheld()
  }

  /** Closes the file once nobody holds it; nobody new can. */
  async close(): Promise<void> {
    this.#closing = true
    await this.#closeUnheld()
  }

  /** The same, and takes it out of its directory at once. */
  async remove(): Promise<void> {
    await this.close()
    await unlink(this.#path)
  }

  async #closeUnheld(): Promise<void> {
    if (this.#closing && this.#holders === 0) await this.#handle.close()
  }

  /** Takes pieces from the end of `waiting`; answers how many were slow. */
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
  if (count < piece.size) throw new Error(`the source file ends at ${piece.at + count}, within a document`)
}
