import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

/** An opened file or standard input, with gzip decompressed and the byte order mark removed. */
export interface Input {
  /** As given on the command line; `-` is standard input. */
  readonly name: string
  /** Bytes on disk; undefined if unknown. */
  readonly size?: number
  readonly isCompressed: boolean
  /** First bytes of the content (up to 64 KiB), to detect the format; also part of `chunks`. */
  readonly head: Buffer
  readonly chunks: AsyncIterable<Buffer>
  /** Bytes read from the disk or the pipe so far. */
  bytesRead(): number
  /** Reports the share read (0 to 1), for readers that open the file themselves. */
  reportShare(share: number): void
  close(): void
}

/** The input cannot be read; the message is a sentence for the user. */
export class InputFault extends Error {}

const CHUNK_BYTES = 1024 * 1024
const HEAD_BYTES = 64 * 1024

export async function openInput(name: string): Promise<Input> {
  const size = name === '-' ? undefined : await sizeOf(name)
  const raw: Readable = name === '-' ? process.stdin : createReadStream(name, { highWaterMark: CHUNK_BYTES })
  let bytes = 0
  const counted = countBytes(raw, (read) => {
    bytes += read
  })
  const [start, all] = await peek(counted, 2)
  const isCompressed = start[0] === 0x1f && start[1] === 0x8b
  const content = isCompressed ? gunzip(all, name) : all
  const [head, chunks] = await peek(content, HEAD_BYTES)
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) {
    throw new InputFault(`${name} is UTF-16 text; convert it to UTF-8 first.`)
  }
  const marked = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf
  return {
    name,
    ...(size === undefined ? {} : { size }),
    isCompressed,
    head: marked ? head.subarray(3) : head,
    chunks: marked ? skipBytes(chunks, 3) : chunks,
    bytesRead: () => bytes,
    reportShare: (share) => {
      bytes = Math.round(share * (size ?? 0))
    },
    close: () => raw.destroy(),
  }
}

async function sizeOf(name: string): Promise<number> {
  try {
    const found = await stat(name)
    if (found.isDirectory()) throw new InputFault(`${name} is a directory; specify a file.`)
    return found.size
  } catch (error) {
    if (error instanceof InputFault) throw error
    const why = isSystemError(error) && error.code === 'ENOENT' ? 'does not exist' : 'cannot be read'
    throw new InputFault(`The file ${name} ${why}; check the path.`)
  }
}

const isSystemError = (error: unknown): error is NodeJS.ErrnoException => error instanceof Error && 'code' in error

async function* countBytes(raw: Readable, onRead: (bytes: number) => void): AsyncGenerator<Buffer, void, undefined> {
  for await (const chunk of raw) {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk))
    onRead(bytes.length)
    yield bytes
  }
}

/** Returns the first `wanted` bytes (fewer if the input is shorter), and all chunks including these. */
async function peek(chunks: AsyncIterable<Buffer>, wanted: number): Promise<[Buffer, AsyncIterable<Buffer>]> {
  const iterator = chunks[Symbol.asyncIterator]()
  let head = Buffer.alloc(0)
  while (head.length < wanted) {
    const next = await iterator.next()
    if (next.done === true) break
    head = head.length === 0 ? Buffer.from(next.value) : Buffer.concat([head, next.value])
  }
  return [head.subarray(0, wanted), continueWith(head, iterator)]
}

async function* continueWith(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  if (first.length > 0) yield first
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
}

async function* gunzip(chunks: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer, void, undefined> {
  const unpacked = createGunzip({ chunkSize: 256 * 1024 })
  // The iteration below raises the error too; the callback only prevents an unhandled one.
  pipeline(Readable.from(chunks), unpacked, () => undefined)
  try {
    for await (const chunk of unpacked) yield Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk)
  } catch (error) {
    if (isSystemError(error) && error.code?.startsWith('Z_') === true) {
      throw new InputFault(`${name} is damaged: ${error.message} while decompressing it.`)
    }
    throw error
  }
}

async function* skipBytes(chunks: AsyncIterable<Buffer>, count: number): AsyncGenerator<Buffer, void, undefined> {
  let left = count
  for await (const chunk of chunks) {
    if (left < chunk.length) yield left === 0 ? chunk : chunk.subarray(left)
    left = Math.max(0, left - chunk.length)
  }
}
