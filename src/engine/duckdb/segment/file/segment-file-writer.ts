import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rename, unlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { syncDirectory } from '../../files/sync-directory.ts'
import { type Directory, type StoredArray, StoredMember, treeOf } from './directory.ts'
import { HEADER_BYTES, headerBytes, MAX_DIRECTORY_BYTES, PIECE, padded, trailerBytes } from './file-format.ts'
import { doPieces } from './piecework.ts'
import { bytesOf, type TypedArray, typeOfArray } from './typed-arrays.ts'

/** Writes in flight: while one is on its way, the checksum of the next piece is computed. */
const WIDTH = 2

/**
 * Writes plain data (nested objects and lists of typed arrays and JSON values) to a file. The file appears under its name
 * when it is complete and on disk; a file of this name is replaced.
 */
export const writeSegmentFile = (directory: string, name: string, data: object, signal?: AbortSignal): Promise<void> =>
  writeInPieces(directory, name, async () => data, signal)

/** Writes a member of the data before the data is complete, so that it need not stay in memory. */
export type Store = (member: object) => Promise<StoredMember>

/** Like `writeSegmentFile`. `compose` returns the data, in which members it has stored take their places. */
export async function writeInPieces(
  directory: string,
  name: string,
  compose: (store: Store) => Promise<object>,
  signal?: AbortSignal,
): Promise<void> {
  if (basename(name) !== name) throw new TypeError(`${name} is not a file name`)
  const temporary = join(directory, `${name}.${randomUUID()}.tmp`)
  const file = await open(temporary, 'wx')
  try {
    try {
      const writer = new Writer(file, signal)
      await writer.begin()
      await writer.end(await compose((member) => writer.store(member)))
      await file.sync()
    } finally {
      await file.close()
    }
    signal?.throwIfAborted()
    await rename(temporary, join(directory, name))
  } catch (error) {
    // The first error is the one to report.
    await unlink(temporary).catch(() => undefined)
    throw error
  }
  await syncDirectory(directory)
}

class Writer {
  readonly #file: FileHandle
  readonly #signal: AbortSignal | undefined
  readonly #stored: StoredArray[] = []
  #at = HEADER_BYTES

  constructor(file: FileHandle, signal: AbortSignal | undefined) {
    this.#file = file
    this.#signal = signal
  }

  async begin(): Promise<void> {
    await writeFully(this.#file, headerBytes(), 0)
  }

  async store(data: object): Promise<StoredMember> {
    const arrays = new Map<TypedArray, number>()
    const tree = treeOf(data, arrays, this.#stored.length)
    for (const array of arrays.keys()) {
      this.#signal?.throwIfAborted()
      const crcs = await writeArray(this.#file, array, this.#at, this.#signal)
      this.#stored.push({ type: typeOfArray(array), offset: this.#at, length: array.length, crcs })
      this.#at += padded(array.byteLength)
    }
    return new StoredMember(tree)
  }

  async end(data: object): Promise<void> {
    const { tree } = await this.store(data)
    const at = this.#at
    const content = Buffer.from(JSON.stringify({ arrays: this.#stored, tree } satisfies Directory))
    if (content.length > MAX_DIRECTORY_BYTES) throw new RangeError('the values besides the arrays are too large')
    await writeFully(this.#file, content, at)
    const trailer = trailerBytes({ offset: at, length: content.length, crc: crc32(content) })
    await writeFully(this.#file, trailer, at + content.length)
  }
}

/** Returns the checksums of the pieces. */
async function writeArray(
  file: FileHandle,
  array: TypedArray,
  at: number,
  signal: AbortSignal | undefined,
): Promise<number[]> {
  const bytes = bytesOf(array)
  const size = padded(bytes.length)
  const starts = Array.from({ length: Math.ceil(size / PIECE) }, (_, i) => i * PIECE)
  const crcs = new Array<number>(starts.length)
  await doPieces(starts, WIDTH, async (start) => {
    signal?.throwIfAborted()
    const end = Math.min(start + PIECE, size)
    const piece = end <= bytes.length ? bytes.subarray(start, end) : withPadding(bytes.subarray(start), end - start)
    crcs[start / PIECE] = crc32(piece)
    await writeFully(file, piece, at + start)
  })
  return crcs
}

function withPadding(bytes: Uint8Array, length: number): Uint8Array {
  const piece = new Uint8Array(length)
  piece.set(bytes)
  return piece
}

async function writeFully(file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, at + done)
    done += bytesWritten
  }
}
