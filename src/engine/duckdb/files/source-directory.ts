import { mkdir, open, readdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { SourceFile } from './source-file.ts'

const DIRECTORY = 'sources'

/** Name of a source file of an index; each has its own number. */
export const sourceFileOf = (uuid: string, number: number): string => `${uuid}.${number}`

/** Name of the file of identifiers that belongs to an arranged table. */
export const identifierFileOf = (uuid: string, generation: number): string => `${uuid}.${generation}.identifiers`

/** Name of the file of the rows of an arranged table. */
export const rowFileOf = (uuid: string, generation: number): string => `${uuid}.${generation}.rows`

/** A directory of data this version cannot open; the message says what to do. */
export class UnreadableStorage extends Error {}

/** Makes a new, empty file. */
export type MakeFile = (name: string) => Promise<SourceFile>

/** Where the files of all indices lie, beside the database. */
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
   * Runs `work`, all of a transaction but its commit; the files it made go again when it fails. When a commit fails they
   * stay, since only the next start tells what has become of it.
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

  /** A new file that a crash cannot take out of the directory any more. */
  async #create(name: string): Promise<SourceFile> {
    const file = await SourceFile.create(join(this.#path, name))
    await syncDirectory(this.#path)
    return file
  }

  /** A file that holds at least the bytes up to `end`. */
  async open(name: string, end: number): Promise<SourceFile> {
    const path = join(this.#path, name)
    const file = await SourceFile.open(path).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' ? incomplete(path, 'is missing') : error
    })
    if ((await file.size()) >= end) return file
    await file.close()
    throw incomplete(path, 'is too short')
  }

  /** Files that belong to no index were left by a crash. */
  async removeOthers(names: ReadonlySet<string>): Promise<void> {
    for (const name of await readdir(this.#path)) if (!names.has(name)) await unlink(join(this.#path, name))
  }
}

const incomplete = (path: string, how: string): UnreadableStorage =>
  new UnreadableStorage(
    `The file ${path} ${how}: a data directory must be copied whole, with its sources, while no server runs. Restore it from a copy, or load the data again into an empty directory.`,
  )

async function syncDirectory(path: string): Promise<void> {
  // Windows can neither open a directory nor needs to.
  if (process.platform === 'win32') return
  const directory = await open(path)
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
