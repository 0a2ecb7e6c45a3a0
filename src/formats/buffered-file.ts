import { type FileHandle, open } from 'node:fs/promises'

const FLUSH_BYTES = 1024 * 1024

/** A file written sequentially in large chunks; its first bytes can be overwritten at the end. */
export class BufferedFile {
  readonly path: string
  readonly #handle: FileHandle
  #pieces: Uint8Array[] = []
  #waiting = 0
  #length = 0

  private constructor(path: string, handle: FileHandle) {
    this.path = path
    this.#handle = handle
  }

  static async create(path: string): Promise<BufferedFile> {
    return new BufferedFile(path, await open(path, 'wx'))
  }

  /** Bytes appended so far. */
  get length(): number {
    return this.#length
  }

  /** Buffers the bytes and flushes when there are enough. Await the returned promise, or memory grows. */
  append(bytes: Uint8Array): Promise<void> | undefined {
    this.#pieces.push(bytes)
    this.#waiting += bytes.length
    this.#length += bytes.length
    return this.#waiting < FLUSH_BYTES ? undefined : this.#flush()
  }

  /** Flushes, overwrites the first bytes with `head`, and closes the file. */
  async finish(head?: Uint8Array): Promise<void> {
    try {
      await this.#flush()
      if (head !== undefined) await writeAll(this.#handle, head, 0)
    } finally {
      await this.#handle.close()
    }
  }

  async abandon(): Promise<void> {
    await this.#handle.close()
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.concat(this.#pieces)
    const at = this.#length - this.#waiting
    this.#pieces = []
    this.#waiting = 0
    await writeAll(this.#handle, bytes, at)
  }
}

async function writeAll(handle: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, at + done)
    done += bytesWritten
  }
}
