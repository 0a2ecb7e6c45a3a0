import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { UnreadableStorage } from '../files/source-directory.ts'
import { syncDirectory } from '../files/sync-directory.ts'
import { DamagedJournalFile, JournalFile } from './journal-file.ts'
import type { JournalRecord } from './journal-record.ts'

/** Below the data directory. */
const DIRECTORY = 'journal'

/** Bytes after which records go to the other file, if that has none that are needed. */
const ENOUGH_BYTES = 1024 * 1024

/**
 * Log of writes that are durable but not yet in the database. Two files are used in turn: while records are appended to
 * one, those of the other move into the database.
 */
export class Journal {
  readonly #directory: string
  /** Appends go to the first. */
  readonly #files: JournalFile[]
  /** Number of the next record. */
  #next: number
  /** Records up to this number are in the database. */
  #flushed: number
  #names: number
  #isBroken = false

  private constructor(directory: string, files: JournalFile[], names: number, flushed: number, last: number) {
    this.#directory = directory
    this.#files = files
    this.#names = names
    this.#flushed = flushed
    this.#next = last + 1
  }

  /**
   * Opens the journal. Returns the records after `flushed`, which the database lacks. The last one is left out if it is
   * incomplete, because then its write was not acknowledged.
   */
  static async open(
    dataDirectory: string,
    flushed: number,
  ): Promise<{ journal: Journal; records: readonly JournalRecord[] }> {
    const directory = join(dataDirectory, DIRECTORY)
    await mkdir(directory, { recursive: true, mode: 0o700 })
    await syncDirectory(dataDirectory)
    const files: JournalFile[] = []
    const found = new Map<number, JournalRecord>()
    let names = 0
    try {
      for (const name of await readdir(directory)) {
        names = Math.max(names, Number.parseInt(name, 10) || 0)
        const opened = await JournalFile.open(join(directory, name))
        if (!opened) continue
        files.push(opened.file)
        for (const record of opened.records) found.set(record.number, record)
      }
      const last = Math.max(flushed, ...found.keys())
      const records = missing(directory, found, flushed, last)
      return { journal: new Journal(directory, files, names, flushed, last), records }
    } catch (error) {
      for (const file of files) await file.close()
      throw error instanceof DamagedJournalFile ? damaged(directory) : error
    }
  }

  /**
   * Appends a record. Durable when the promise resolves. Appends must not overlap. After a failure nothing can be
   * appended until `repair`.
   */
  async append(payload: readonly Uint8Array[]): Promise<number> {
    if (this.#isBroken) throw new Error('the journal must be repaired first')
    const number = this.#next
    try {
      const file = await this.#fileForNext()
      await file.append(number, payload)
    } catch (error) {
      this.#isBroken = true
      throw error
    }
    this.#next++
    return number
  }

  /** Records up to this number are in the database now. Their space can be used again. */
  flushed(number: number): void {
    this.#flushed = Math.max(this.#flushed, number)
  }

  /** True after a failed append, of which nobody knows what is on the disk. */
  get isBroken(): boolean {
    return this.#isBroken
  }

  /** Declares the last record failed, although it was appended. */
  reject(): void {
    this.#next--
    this.#isBroken = true
  }

  /**
   * Starts with a new file after a failed append. All records before it must be in the database. After a failed sync
   * the rest of the file cannot be trusted, and the failed record must not be found at the next start.
   */
  async repair(): Promise<void> {
    for (const file of [...this.#files]) {
      await file.remove()
      this.#files.splice(this.#files.indexOf(file), 1)
    }
    await syncDirectory(this.#directory)
    this.#isBroken = false
  }

  async close(): Promise<void> {
    for (const file of this.#files) await file.close()
  }

  async #fileForNext(): Promise<JournalFile> {
    const [first, second] = this.#files
    if (!first) return this.#addFile()
    if (this.#isFree(first)) first.rewind()
    else if (first.bytes > ENOUGH_BYTES) {
      if (!second) return this.#addFile()
      if (this.#isFree(second)) {
        second.rewind()
        this.#files.reverse()
        return second
      }
    }
    return first
  }

  #isFree(file: JournalFile): boolean {
    return file.last <= this.#flushed
  }

  async #addFile(): Promise<JournalFile> {
    const file = await JournalFile.create(join(this.#directory, String(++this.#names)))
    this.#files.unshift(file)
    await syncDirectory(this.#directory)
    return file
  }
}

/** Returns the records from `flushed` to `last`, in order. All must be there. */
function missing(
  directory: string,
  found: ReadonlyMap<number, JournalRecord>,
  flushed: number,
  last: number,
): readonly JournalRecord[] {
  const records: JournalRecord[] = []
  for (let number = flushed + 1; number <= last; number++) {
    const record = found.get(number)
    if (!record) throw damaged(directory)
    records.push(record)
  }
  return records
}

const damaged = (directory: string): UnreadableStorage =>
  new UnreadableStorage(
    `The journal in ${directory} is damaged: a write is missing that later ones follow. Restore the data directory from a backup. To continue without the last writes before the server ended, move this folder away.`,
  )
