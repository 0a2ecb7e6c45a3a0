import { stat } from 'node:fs/promises'
import { problem } from '../../../errors.ts'
import type { OpenedFile, OpenedFiles, RowReader } from '../../engine.ts'
import type { SourceFile, Sources } from './source-file.ts'
import type { SourcePlace } from './source-pieces.ts'

/** Opens a reader of files. */
export type OpenRows = (opened: OpenedFiles) => RowReader

/** Returns what an index reads its documents from, given its source file. */
export const openSources =
  (openRows: OpenRows | undefined) =>
  ({ name, opened }: { readonly name: string; readonly opened?: OpenedFiles }, file: SourceFile): Sources => {
    if (opened === undefined) return file
    if (openRows === undefined) throw new Error('this process has no reader of opened files')
    return new OpenedSources(name, file, opened, openRows)
  }

/** Throws OPENED_FILE_CHANGED if one of several indices shows a file that is not the one that was opened. */
export async function checkOpened(tables: readonly { readonly sources: Sources }[]): Promise<void> {
  for (const { sources } of tables) if (sources instanceof OpenedSources) await sources.check()
}

/** Documents in opened files. The source file has their row numbers. */
export class OpenedSources implements Sources {
  readonly #index: string
  readonly #numbers: SourceFile
  readonly #files: readonly OpenedFile[]
  readonly #reader: RowReader

  constructor(index: string, numbers: SourceFile, opened: OpenedFiles, openRows: OpenRows) {
    this.#index = index
    this.#numbers = numbers
    this.#files = opened.files
    this.#reader = openRows(opened)
  }

  /** The documents are read before it is known that the files are still the same. */
  async read(places: readonly SourcePlace[]): Promise<readonly Buffer[]> {
    if (places.length === 0) return []
    const numbers = await this.#numbers.read(places)
    try {
      const texts = await this.#reader.read(numbers.map(Number))
      await this.check()
      return texts.map((text) => Buffer.from(text))
    } catch (error) {
      await this.check()
      throw error
    }
  }

  /** Throws OPENED_FILE_CHANGED if a file is not the one that was opened. */
  async check(): Promise<void> {
    if (!(await areUnchanged(this.#files))) throw problem('OPENED_FILE_CHANGED', { name: this.#index })
  }

  async isUnchanged(): Promise<boolean> {
    return areUnchanged(this.#files)
  }

  size(): Promise<number> {
    return this.#numbers.size()
  }

  write(at: number, parts: readonly Uint8Array[]): Promise<void> {
    return this.#numbers.write(at, parts)
  }

  sync(): Promise<void> {
    return this.#numbers.sync()
  }

  hold(): void {
    this.#numbers.hold()
  }

  release(): Promise<void> {
    return this.#numbers.release()
  }

  close(): Promise<void> {
    return this.#numbers.close()
  }

  /** The opened files stay. */
  remove(): Promise<void> {
    return this.#numbers.remove()
  }
}

async function areUnchanged(files: readonly OpenedFile[]): Promise<boolean> {
  const same = await Promise.all(files.map(isUnchanged))
  return same.every(Boolean)
}

async function isUnchanged({ path, size, modifiedMs }: OpenedFile): Promise<boolean> {
  // A file that is missing or cannot be read is not the one that was opened.
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && found.size === size && found.mtimeMs === modifiedMs
}
