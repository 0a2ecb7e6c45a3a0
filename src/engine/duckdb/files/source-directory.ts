import { mkdir, readdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { SourceFile } from './source-file.ts'
import { syncDirectory } from './sync-directory.ts'

const DIRECTORY = 'sources'

/** Name of a source file of an index. Each has its own number. */
export const sourceFileOf = (uuid: string, number: number): string => `${uuid}.${number}`

/** Thrown for a data directory this version cannot open. The message explains what to do. */
export class UnreadableStorage extends Error {}

/** Creates a new, empty file. */
export type MakeFile = (name: string) => Promise<SourceFile>

/** Directory of the files of all indices, next to the database. */
export class SourceDirectory {
  readonly #path: string

  private constructor(path: string) {
    this.#path = path
  }

  static async open(dataDirectory: string): Promise<SourceDirectory> {
    const path = join(dataDirectory, DIRECTORY)
    await mkdir(path, { recursive: true, mode: 0o700 })
    await syncDirectory(dataDirectory)
    return new SourceDirectory(path)
  }

  /**
   * Runs `work`, which is a transaction without its commit. Removes the files it created if it fails. If the commit
   * fails they stay, because only the next start can determine whether it took effect.
   */
  async during<T>(work: (makeFile: MakeFile) => Promise<T>): Promise<T> {
    const made: SourceFile[] = []
    const makeFile: MakeFile = async (name) => {
      const file = await this.#create(name)
      made.push(file)
      return file
    }
    try {
      return await work(makeFile)
    } catch (error) {
      for (const file of made) await file.remove()
      throw error
    }
  }

  /** Creates a file and syncs the directory, so that its entry survives a crash. */
  async #create(name: string): Promise<SourceFile> {
    const file = await SourceFile.create(join(this.#path, name))
    await syncDirectory(this.#path)
    return file
  }

  /** Opens a file that must have at least `end` bytes. */
  async open(name: string, end: number): Promise<SourceFile> {
    const path = join(this.#path, name)
    const file = await SourceFile.open(path).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' ? incomplete(path, 'is missing') : error
    })
    if ((await file.size()) >= end) return file
    await file.close()
    throw incomplete(path, 'is too short')
  }

  /** Removes files that belong to no index. A crash leaves them behind. */
  async removeOthers(names: ReadonlySet<string>): Promise<void> {
    for (const name of await readdir(this.#path)) if (!names.has(name)) await unlink(join(this.#path, name))
  }
}

const incomplete = (path: string, how: string): UnreadableStorage =>
  new UnreadableStorage(
    `The file ${path} ${how}: a data directory must be copied completely, including its sources, while no server is running. Restore it from a backup, or load the data again into an empty directory.`,
  )
