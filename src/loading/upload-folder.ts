import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** A file that was uploaded, in a folder of its own, which is also for what it unpacks to. */
export interface Upload {
  readonly file: string
  readonly folder: string
  readonly bytes: number
  /** Records an index that the load creates, until it is complete. */
  begun(index: string): Promise<void>
  complete(): Promise<void>
  remove(): Promise<void>
}

export interface UploadLimit {
  readonly bytes: number
  readonly tooLarge: () => Error
}

/** Extension of the file with the name of an index that is not complete. */
const MARK = '.index'

/** Folder of uploaded files. What a process left behind that was killed is removed at the next start. */
export class UploadFolder {
  readonly #directory: string
  /** Uploads of this process. */
  readonly #own = new Set<string>()

  constructor(directory: string) {
    this.#directory = directory
  }

  /** Removes the folders of processes that do not run anymore, and the indices they did not complete. */
  async sweep(drop: (index: string) => Promise<void>): Promise<void> {
    const found = await readdir(this.#directory).catch(() => [])
    for (const name of found) {
      const owner = Number(/^(\d+)-/.exec(name)?.[1] ?? Number.NaN)
      // in a container, all processes have the same number
      const isUsed = owner === process.pid ? this.#own.has(path.basename(name, MARK)) : isRunning(owner)
      if (isUsed) continue
      const left = path.join(this.#directory, name)
      if (name.endsWith(MARK)) await drop(await readFile(left, 'utf8'))
      await rm(left, { recursive: true, force: true })
    }
  }

  async receive(content: Readable, name: string, limit: UploadLimit): Promise<Upload> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 })
    const folder = await mkdtemp(path.join(this.#directory, `${process.pid}-`))
    this.#own.add(path.basename(folder))
    const mark = `${folder}${MARK}`
    const complete = (): Promise<void> => rm(mark, { force: true })
    const remove = async (): Promise<void> => {
      await complete()
      await rm(folder, { recursive: true, force: true })
      this.#own.delete(path.basename(folder))
    }
    const file = path.join(folder, safeName(name))
    let bytes = 0
    const counted = new Transform({
      transform(chunk: Uint8Array, _encoding, done) {
        bytes += chunk.length
        if (bytes > limit.bytes) done(limit.tooLarge())
        else done(null, chunk)
      },
    })
    try {
      // Not ended by the pipeline: the connection is needed for the answer.
      await pipeline(content.iterator({ destroyOnReturn: false }), counted, createWriteStream(file, { mode: 0o600 }))
      const begun = (index: string): Promise<void> => writeFile(mark, index, { mode: 0o600 })
      return { file, folder, bytes, begun, complete, remove }
    } catch (error) {
      await remove()
      throw error
    }
  }
}

function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

const LONGEST_NAME = 100

/** Keeps the end of a name, which has the file extension. */
const safeName = (name: string): string => {
  const plain = path
    .basename(name)
    .replaceAll(/[^A-Za-z0-9._-]/g, '_')
    .slice(-LONGEST_NAME)
  return /^\.*$/.test(plain) ? 'upload' : plain
}
