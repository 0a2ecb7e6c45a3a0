import { createHash } from 'node:crypto'
import { type FileHandle, open, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { InputFault } from '../source/input-fault.ts'
import { type GrowingInput, LONGEST, STEP, type Stretch } from './growing-input.ts'
import type { FilePlace } from './input-place.ts'

export interface GrowingFileOptions {
  /** Where reading ended before. If the file was replaced since, the rest of the old one is read first. */
  readonly from?: FilePlace | undefined
  /** Time between two looks at the size of the file. */
  readonly intervalMs: number
  readonly say: (text: string) => void
}

const HEAD = 256

/** A file that grows. Goes on with the next one when it is replaced, and at the beginning when it is truncated. */
export class GrowingFile implements GrowingInput {
  readonly #path: string
  readonly #options: GrowingFileOptions
  #handle: FileHandle
  #inode: number
  #offset = 0
  #head = ''
  #headBytes = 0
  /** Bytes of the last stretch, if no more were there. */
  #seen = 0
  #want = STEP

  private constructor(file: string, handle: FileHandle, inode: number, options: GrowingFileOptions) {
    this.#path = file
    this.#handle = handle
    this.#inode = inode
    this.#options = options
  }

  static async open(file: string, options: GrowingFileOptions): Promise<GrowingFile> {
    const { from, say } = options
    const found = await stat(file).catch(() => undefined)
    if (found === undefined) throw new InputFault(`The file ${file} does not exist; check the path.`)
    const old = from === undefined || from.inode === found.ino ? undefined : await findRotated(file, from.inode)
    const growing = new GrowingFile(
      file,
      await open(old ?? file),
      old === undefined ? found.ino : (from?.inode ?? 0),
      options,
    )
    if (from === undefined) return growing
    if (growing.#inode !== from.inode) {
      say(`${file} was replaced, and the file before is not beside it: what was appended to that meanwhile is missing.`)
      return growing
    }
    growing.#offset = from.offset
    growing.#head = from.head
    growing.#headBytes = from.headBytes
    return growing
  }

  get place(): FilePlace {
    return { inode: this.#inode, offset: this.#offset, head: this.#head, headBytes: this.#headBytes }
  }

  async next(signal: AbortSignal): Promise<Stretch | undefined> {
    while (!signal.aborted) {
      const { size } = await this.#handle.stat()
      if (size < this.#offset || !(await this.#hasSameHead())) {
        this.#options.say(`${this.#path} was truncated: reading it from the beginning.`)
        this.#restart()
        continue
      }
      const available = size - this.#offset
      if (available > this.#seen || available > this.#want) return this.#read(available, false)
      const now = await stat(this.#path).catch(() => undefined)
      if (now !== undefined && now.ino !== this.#inode) {
        // What was written between looking at the size and at the name.
        const { size: last } = await this.#handle.stat()
        if (last > this.#offset) return this.#read(last - this.#offset, true)
        await this.#reopen()
        continue
      }
      await pause(this.#options.intervalMs, undefined, { signal }).catch(() => undefined)
    }
    return undefined
  }

  async #read(available: number, isLast: boolean): Promise<Stretch> {
    const wanted = Math.min(available, this.#want)
    const { buffer, bytesRead } = await this.#handle.read(Buffer.alloc(wanted), 0, wanted, this.#offset)
    this.#seen = bytesRead < this.#want ? bytesRead : 0
    const isEnd = isLast && bytesRead === available
    return { bytes: buffer.subarray(0, bytesRead), isEnd, isStart: this.#offset === 0 }
  }

  async advance(count: number): Promise<void> {
    if (count === 0 && this.#seen === 0) {
      this.#want *= 2
      if (this.#want > LONGEST) throw new InputFault(`${this.#path} has a line longer than ${LONGEST / 2} bytes.`)
      return
    }
    this.#want = STEP
    this.#seen = Math.max(0, this.#seen - count)
    this.#offset += count
    if (this.#headBytes === HEAD) return
    this.#headBytes = Math.min(HEAD, this.#offset)
    this.#head = await this.#hashHead()
  }

  async close(): Promise<void> {
    await this.#handle.close()
  }

  async #reopen(): Promise<void> {
    const handle = await open(this.#path).catch(() => undefined)
    if (handle === undefined) return
    await this.#handle.close()
    this.#handle = handle
    this.#inode = (await handle.stat()).ino
    this.#options.say(`${this.#path} was replaced: reading the new file.`)
    this.#restart()
  }

  #restart(): void {
    this.#offset = 0
    this.#headBytes = 0
    this.#head = ''
    this.#seen = 0
    this.#want = STEP
  }

  async #hasSameHead(): Promise<boolean> {
    return this.#headBytes === 0 || (await this.#hashHead()) === this.#head
  }

  async #hashHead(): Promise<string> {
    const { buffer, bytesRead } = await this.#handle.read(Buffer.alloc(HEAD), 0, this.#headBytes, 0)
    return createHash('sha256').update(buffer.subarray(0, bytesRead)).digest('hex')
  }
}

/** Returns the path of the file that had this name before, in the same folder. */
async function findRotated(file: string, inode: number): Promise<string | undefined> {
  const folder = path.dirname(file)
  for (const name of await readdir(folder)) {
    const other = path.join(folder, name)
    const found = await stat(other).catch(() => undefined)
    if (found?.isFile() === true && found.ino === inode) return other
  }
  return undefined
}
