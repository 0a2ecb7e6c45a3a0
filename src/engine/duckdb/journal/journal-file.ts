import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import {
  ALIGNMENT,
  fileHeader,
  type JournalRecord,
  KEY_BYTES,
  keyOf,
  recordBytes,
  recordsIn,
} from './journal-record.ts'

/** Bytes of a new file. Overwriting is many times faster than growing, which changes the metadata of the file system. */
const FIRST_BYTES = 256 * 1024

/** A file that has less room than this is doubled in the background. */
const LEAST_ROOM = 128 * 1024
const MOST_GROWTH = 4 * 1024 * 1024

/** With this flag a write is durable when it returns. Elsewhere the flag is missing or weaker than a sync. */
const DSYNC = process.platform === 'linux' ? constants.O_DSYNC : undefined

/** Thrown if the header of a file is damaged. */
export class DamagedJournalFile extends Error {}

/** A file of records. Overwritten from the start when none of its records is needed any more. */
export class JournalFile {
  readonly #path: string
  readonly #handle: FileHandle
  readonly #key: Buffer
  #size: number
  #end = ALIGNMENT
  #last = 0
  #growing: Promise<void> | undefined

  private constructor(path: string, handle: FileHandle, key: Buffer, size: number) {
    this.#path = path
    this.#handle = handle
    this.#key = key
    this.#size = size
  }

  /** Creates a file, durably but for its directory entry. */
  static async create(path: string): Promise<JournalFile> {
    const handle = await openDurably(path, constants.O_CREAT | constants.O_TRUNC)
    try {
      const key = randomBytes(KEY_BYTES)
      const bytes = Buffer.alloc(FIRST_BYTES)
      bytes.set(fileHeader(key))
      await writeAll(handle, bytes, 0)
      return new JournalFile(path, handle, key, bytes.length)
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  /** Opens a file and returns its complete records. Undefined if the file was never completed. */
  static async open(path: string): Promise<{ file: JournalFile; records: readonly JournalRecord[] } | undefined> {
    const handle = await openDurably(path, 0)
    try {
      const bytes = await handle.readFile()
      const key = keyOf(bytes)
      if (key) return { file: new JournalFile(path, handle, key, bytes.length), records: [...recordsIn(bytes, key)] }
      // If its creation was interrupted, nothing was appended to it.
      if (bytes.length >= FIRST_BYTES && bytes.some((byte) => byte !== 0)) throw new DamagedJournalFile(path)
      await handle.close()
      await unlink(path)
      return undefined
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  /** Number of the last record that may be in the file, 0 if none. */
  get last(): number {
    return this.#last
  }

  /** Bytes in use. */
  get bytes(): number {
    return this.#end
  }

  /** Forgets all records. The next one is written over the first. */
  rewind(): void {
    this.#end = ALIGNMENT
    this.#last = 0
  }

  /** Writes a record. It is durable when the promise resolves. If it fails, the file must not be used any more. */
  async append(number: number, payload: readonly Uint8Array[]): Promise<void> {
    const bytes = recordBytes(this.#key, number, payload)
    const at = this.#end
    this.#last = number
    this.#end = at + bytes.length
    // The zeros must not come after the record.
    if (this.#end > this.#size) await this.#growing
    await writeAll(this.#handle, bytes, at)
    this.#size = Math.max(this.#size, this.#end)
    if (this.#size - this.#end < LEAST_ROOM) this.#growing ??= this.#grow()
  }

  /** A failure is not a fault: the next record that needs the space meets it again, and reports it. */
  async #grow(): Promise<void> {
    const from = this.#size
    const zeros = Buffer.alloc(Math.min(from, MOST_GROWTH))
    try {
      await writeAll(this.#handle, zeros, from)
      this.#size = from + zeros.length
    } catch {
      // The file stays as it is.
    } finally {
      this.#growing = undefined
    }
  }

  async close(): Promise<void> {
    await this.#growing
    await this.#handle.close()
  }

  async remove(): Promise<void> {
    await this.close()
    await unlink(this.#path)
  }
}

const openDurably = (path: string, flags: number): Promise<FileHandle> =>
  open(path, constants.O_RDWR | flags | (DSYNC ?? 0), 0o600)

async function writeAll(handle: FileHandle, bytes: Buffer, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, at + done)
    done += bytesWritten
  }
  if (DSYNC === undefined) await handle.datasync()
}
