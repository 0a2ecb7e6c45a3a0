import { type FileHandle, open, readdir, rm, unlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { SegmentData } from '../segment-data.ts'
import { DamagedSegment } from './damaged-segment.ts'
import {
  arrayBytes,
  collectArrays,
  type Directory,
  dataOf,
  isDirectory,
  nodeAt,
  type StoredArray,
} from './directory.ts'
import { HEADER_BYTES, headerDamage, PIECE, padded, readTrailer, TRAILER_BYTES } from './file-format.ts'
import { doPieces } from './piecework.ts'
import { arrayOn, type TypedArray } from './typed-arrays.ts'

export { DamagedSegment }

/** Reads in flight: while the checksum of a piece is computed, others are on their way. */
const WIDTH = 4

/** Property names and list positions, from the root of the stored data. */
type DataPath = readonly (string | number)[]

/** Opens a file and reads its directory. Throws DamagedSegment if it cannot be used. */
export async function openSegmentFile<T extends object = SegmentData>(path: string): Promise<SegmentFile<T>> {
  const file = await openForReading(path)
  try {
    return new SegmentFile(path, file, await readDirectory(path, file))
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Data with the lengths of typed arrays in place of the arrays. */
export type Outline<T> = T extends TypedArray
  ? { readonly length: number }
  : T extends object
    ? { readonly [K in keyof T]: Outline<T[K]> }
    : T

/**
 * An open segment file: data without its arrays, which are read on demand. The file can be removed while it is open; what
 * was not read can still be read.
 */
export class SegmentFile<T extends object = SegmentData> {
  readonly path: string
  readonly #file: FileHandle
  readonly #directory: Directory
  readonly #reading = new Set<Promise<void>>()
  #isClosed = false

  constructor(path: string, file: FileHandle, directory: Directory) {
    this.path = path
    this.#file = file
    this.#directory = directory
  }

  /**
   * Returns the data at a path, or undefined if there is none. Arrays are read into shared memory and verified: rejects
   * with DamagedSegment if a checksum is wrong.
   */
  async read(path: DataPath, signal?: AbortSignal): Promise<unknown> {
    const { arrays, tree } = this.#directory
    const node = nodeAt(tree, path)
    if (node === undefined) return undefined
    const loaded = new Map<number, TypedArray>()
    const pieces: Piece[] = []
    for (const index of collectArrays(node, new Set())) {
      const array = arrays[index]
      if (array === undefined) throw new DamagedSegment(this.path, 'directory')
      const memory = new SharedArrayBuffer(padded(arrayBytes(array)))
      loaded.set(index, arrayOn(array.type, memory, array.length))
      for (const piece of piecesOf(array, memory)) pieces.push(piece)
    }
    if (pieces.length > 0) await this.#readPieces(pieces, signal)
    return dataOf(node, (index) => {
      const array = loaded.get(index)
      if (array === undefined) throw new DamagedSegment(this.path, 'directory')
      return array
    })
  }

  /** What is known of the data without reading arrays. */
  get outline(): Outline<T> {
    const { arrays, tree } = this.#directory
    return dataOf(tree, (index) => ({ length: arrays[index]?.length ?? 0 })) as Outline<T>
  }

  /** Memory that the arrays at a path take, in bytes. */
  bytesAt(path: DataPath): number {
    const { arrays, tree } = this.#directory
    let bytes = 0
    for (const index of collectArrays(nodeAt(tree, path) ?? null, new Set())) {
      const array = arrays[index]
      if (array !== undefined) bytes += padded(arrayBytes(array))
    }
    return bytes
  }

  /** Waits for running reads. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await Promise.allSettled(this.#reading)
    await this.#file.close()
  }

  async #readPieces(pieces: readonly Piece[], signal: AbortSignal | undefined): Promise<void> {
    if (this.#isClosed) throw new Error(`The segment file ${this.path} is closed`)
    const reading = doPieces(pieces, WIDTH, (piece) => this.#readPiece(piece, signal))
    this.#reading.add(reading)
    try {
      await reading
    } finally {
      this.#reading.delete(reading)
    }
  }

  async #readPiece({ at, bytes, crc }: Piece, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    await readFully(this.path, this.#file, bytes, at)
    if (crc32(bytes) !== crc) throw new DamagedSegment(this.path, 'checksum')
  }
}

interface Piece {
  readonly at: number
  readonly bytes: Uint8Array
  readonly crc: number
}

function* piecesOf({ offset, crcs }: StoredArray, memory: SharedArrayBuffer): Iterable<Piece> {
  for (const [i, crc] of crcs.entries()) {
    const start = i * PIECE
    const bytes = new Uint8Array(memory, start, Math.min(PIECE, memory.byteLength - start))
    yield { at: offset + start, bytes, crc }
  }
}

/** Does nothing if there is no such file. */
export async function removeSegmentFile(directory: string, name: string): Promise<void> {
  if (basename(name) !== name) throw new TypeError(`${name} is not a file name`)
  await rm(join(directory, name), { force: true })
}

/**
 * Removes the files of a directory that has segment files only, except some: a crash leaves others behind. No file may be
 * written to the directory meanwhile.
 */
export async function removeLeftovers(directory: string, keep: ReadonlySet<string>): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    if (entry.isFile() && !keep.has(entry.name)) await unlink(join(directory, entry.name))
  }
}

async function openForReading(path: string): Promise<FileHandle> {
  try {
    return await open(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') throw new DamagedSegment(path, 'missing')
    throw error
  }
}

async function readDirectory(path: string, file: FileHandle): Promise<Directory> {
  const stats = await file.stat()
  if (!stats.isFile()) throw new DamagedSegment(path, 'foreign')
  if (stats.size < HEADER_BYTES + TRAILER_BYTES) throw new DamagedSegment(path, 'truncated')
  const header = Buffer.alloc(HEADER_BYTES)
  const end = Buffer.alloc(TRAILER_BYTES)
  await readFully(path, file, header, 0)
  await readFully(path, file, end, stats.size - TRAILER_BYTES)
  const damage = headerDamage(header)
  if (damage !== undefined) throw new DamagedSegment(path, damage)
  const trailer = readTrailer(header, end, stats.size)
  if (typeof trailer === 'string') throw new DamagedSegment(path, trailer)
  const content = Buffer.alloc(trailer.length)
  await readFully(path, file, content, trailer.offset)
  if (crc32(content) !== trailer.crc) throw new DamagedSegment(path, 'checksum')
  const directory = parseJson(content)
  if (!isDirectory(directory, trailer.offset)) throw new DamagedSegment(path, 'directory')
  return directory
}

function parseJson(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString())
  } catch {
    return undefined
  }
}

async function readFully(path: string, file: FileHandle, into: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < into.length; ) {
    const { bytesRead } = await file.read(into, done, into.length - done, at + done)
    if (bytesRead === 0) throw new DamagedSegment(path, 'truncated')
    done += bytesRead
  }
}
