import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import { pipeline as pipeInto } from 'node:stream/promises'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { InputFault } from './input-fault.ts'
import { type Scratch, temporaryFile } from './temporary-file.ts'

/** An opened file or standard input, decompressed. */
export interface Input {
  /** As given by the caller; `-` is standard input. */
  readonly name: string
  /** Bytes on disk; undefined if unknown. */
  readonly size?: number
  /** First bytes of the content (up to 64 KiB), to detect the format; also part of `chunks`. */
  readonly head: Buffer
  readonly chunks: AsyncIterable<Buffer>
  /** Bytes read from the disk or the pipe so far. */
  bytesRead(): number
  /** Reports the share read (0 to 1), for readers that open the file themselves. */
  reportShare(share: number): void
  /** Path of a file with the decompressed content, for readers that need random access. Consumes `chunks`. */
  file(): Promise<string>
  close(): void
}

const CHUNK_BYTES = 1024 * 1024
const HEAD_BYTES = 64 * 1024

/**
 * Opens a file; `name` is used in messages, and differs from `file` for members of an archive. `scratch` limits what it
 * unpacks to.
 */
export async function openInput(file: string, name = file, scratch?: Scratch): Promise<Input> {
  const size = file === '-' ? undefined : await sizeOf(file, name)
  const raw: Readable = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: CHUNK_BYTES })
  let bytes = 0
  const counted = countBytes(raw, (read) => {
    bytes += read
  })
  const [start, all] = await peek(counted, 4)
  const coding = codingOf(start)
  const content = coding === undefined ? all : decompress(all, coding, name, scratch?.mostUnpacked)
  const [head, chunks] = await peek(content, HEAD_BYTES)
  const release: (() => void)[] = [() => raw.destroy()]
  return {
    name,
    ...(size === undefined ? {} : { size }),
    head,
    chunks,
    bytesRead: () => bytes,
    reportShare: (share) => {
      bytes = Math.round(share * (size ?? 0))
    },
    file: async () => {
      if (coding === undefined && file !== '-') {
        raw.destroy()
        return file
      }
      const copy = temporaryFile(scratch?.folder)
      release.push(copy.remove)
      await pipeInto(Readable.from(chunks), createWriteStream(copy.path))
      return copy.path
    },
    close: () => {
      for (const each of release.splice(0)) each()
    },
  }
}

async function sizeOf(file: string, name: string): Promise<number> {
  try {
    return (await stat(file)).size
  } catch (error) {
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

type Coding = 'gzip' | 'zstd'

function codingOf(start: Buffer): Coding | undefined {
  if (start[0] === 0x1f && start[1] === 0x8b) return 'gzip'
  return start.length >= 4 && start.readUInt32LE(0) === 0xfd2fb528 ? 'zstd' : undefined
}

async function* decompress(
  chunks: AsyncIterable<Buffer>,
  coding: Coding,
  name: string,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<Buffer, void, undefined> {
  const options = { chunkSize: 256 * 1024 }
  const unpacked = coding === 'gzip' ? createGunzip(options) : createZstdDecompress(options)
  // The iteration below raises the error too; the callback only prevents an unhandled one.
  pipeline(Readable.from(chunks), unpacked, () => undefined)
  try {
    let bytes = 0
    for await (const chunk of unpacked) {
      bytes += chunk.length
      if (bytes > most) throw new InputFault(`${name} unpacks to more than ${most} bytes.`)
      yield Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk)
    }
  } catch (error) {
    if (isSystemError(error) && /^(Z_|ZSTD_)/.test(error.code ?? '')) {
      throw new InputFault(`${name} is damaged: ${error.message} while decompressing it.`)
    }
    throw error
  }
}
