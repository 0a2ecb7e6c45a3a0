import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rename, unlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { type Directory, type StoredArray, treeOf } from './directory.ts'
import { HEADER_BYTES, headerBytes, MAX_DIRECTORY_BYTES, PIECE, padded, trailerBytes } from './file-format.ts'
import { doPieces } from './piecework.ts'
import { bytesOf, type TypedArray, typeOfArray } from './typed-arrays.ts'

/** Writes in flight: while one is on its way, the checksum of the next piece is computed. */
const WIDTH = 2

/**
 * Writes plain data (nested objects and lists of typed arrays and JSON values) to a file. The file appears under its name
 * when it is complete and on disk; a file of this name is replaced.
 */
export async function writeSegmentFile(
  directory: string,
  name: string,
  data: object,
  signal?: AbortSignal,
): Promise<void> {
  if (basename(name) !== name) throw new TypeError(`${name} is not a file name`)
  const temporary = join(directory, `${name}.${randomUUID()}.tmp`)
  const file = await open(temporary, 'wx')
  try {
    try {
      await writeData(file, data, signal)
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

async function writeData(file: FileHandle, data: object, signal: AbortSignal | undefined): Promise<void> {
  const arrays = new Map<TypedArray, number>()
  const tree = treeOf(data, arrays)
  await writeFully(file, headerBytes(), 0)
  let at = HEADER_BYTES
  const stored: StoredArray[] = []
  for (const array of arrays.keys()) {
    signal?.throwIfAborted()
    const crcs = await writeArray(file, array, at, signal)
    stored.push({ type: typeOfArray(array), offset: at, length: array.length, crcs })
    at += padded(array.byteLength)
  }
  const content = Buffer.from(JSON.stringify({ arrays: stored, tree } satisfies Directory))
  if (content.length > MAX_DIRECTORY_BYTES) throw new RangeError('the values besides the arrays are too large')
  await writeFully(file, content, at)
  const trailer = trailerBytes({ offset: at, length: content.length, crc: crc32(content) })
  await writeFully(file, trailer, at + content.length)
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

async function syncDirectory(path: string): Promise<void> {
  // Windows cannot open a directory and does not need this.
  if (process.platform === 'win32') return
  const directory = await open(path)
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
