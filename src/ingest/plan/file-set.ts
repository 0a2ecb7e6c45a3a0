import type { JsonObject } from '../../model/json/document.ts'
import { type CoordinateSystem, parseCoordinateSystem } from '../crs/coordinate-system.ts'
import { formatOf, readDocuments } from '../read/read-documents.ts'
import type { InputFormat } from '../read/shared/input-format.ts'
import type { ReadOptions } from '../read/shared/reading.ts'
import { isBroken, type Row } from '../row.ts'
import { type Input, openInput } from '../source/open-input.ts'
import type { Source } from '../source/open-sources.ts'
import type { Scratch } from '../source/temporary-file.ts'

/** A file that is being read. */
export interface OpenFile {
  readonly name: string
  readonly format: InputFormat
  /** Coordinate system that was stated for the file, or by it. */
  readonly crs?: CoordinateSystem
  /** Complete when the first rows were read. */
  readonly notes: readonly string[]
  readonly rows: AsyncIterable<readonly Row[]>
  readonly input: Input
}

/** First documents of the files. */
export interface Sample {
  readonly documents: readonly SampleDocument[]
  /** First row that is not a document. */
  readonly broken?: { readonly file: string; readonly line: number; readonly reason: string }
  /** True if these are all rows of all files. */
  readonly isWhole: boolean
  readonly files: readonly Pick<OpenFile, 'name' | 'format' | 'crs' | 'notes'>[]
}

export interface SampleDocument {
  readonly document: JsonObject
  readonly crs?: CoordinateSystem
}

const DOCUMENTS = 2_000
const ROWS = 20_000
/** Files of a large set that are opened for the sample. */
const SAMPLED_FILES = 20

export interface FileOptions extends ReadOptions {
  /** Coordinate system of all files, instead of what they state. */
  readonly crs?: string
  /** Where files are unpacked, if it is not the temporary folder of the system. */
  readonly scratch?: Scratch
}

/** The files of a load. All can be read again except standard input, of which the sample is kept. */
export class FileSet {
  readonly sources: readonly Source[]
  readonly #options: FileOptions
  readonly #crs: CoordinateSystem | undefined
  #held: OpenFile | undefined

  constructor(sources: readonly Source[], options: FileOptions) {
    this.sources = sources
    this.#options = options
    this.#crs = options.crs === undefined ? undefined : parseCoordinateSystem(options.crs)
  }

  get canReread(): boolean {
    return this.sources.every(({ file }) => file !== '-')
  }

  /** Opens a file; the caller closes its input. */
  async open({ file, name }: Source): Promise<OpenFile> {
    if (file === '-' && this.#held !== undefined) return this.#held
    const input = await openInput(file, name, this.#options.scratch)
    try {
      const format = formatOf(input, this.#options)
      const { rows, crs = undefined, notes } = await readDocuments(input, format, this.#options)
      const used = this.#crs ?? crs
      return { name, format, rows, notes, input, ...(used === undefined ? {} : { crs: used }) }
    } catch (error) {
      input.close()
      throw error
    }
  }

  /** Reads enough rows to infer a mapping. Invalid rows count too, so that a wrong format ends early. */
  async sample(): Promise<Sample> {
    const documents: SampleDocument[] = []
    const files: OpenFile[] = []
    let broken: Sample['broken']
    let isWhole = this.sources.length <= SAMPLED_FILES
    const sampled = this.sources.slice(0, SAMPLED_FILES)
    const share = Math.ceil(DOCUMENTS / sampled.length)
    for (const source of sampled) {
      const file = await this.open(source)
      files.push(file)
      const iterator = file.rows[Symbol.asyncIterator]()
      const taken: (readonly Row[])[] = []
      let count = 0
      let seen = 0
      let ended = false
      while (count < share && seen < ROWS) {
        const next = await iterator.next()
        if (next.done === true) {
          ended = true
          break
        }
        taken.push(next.value)
        seen += next.value.length
        for (const row of next.value) {
          if (isBroken(row)) broken ??= { file: source.name, line: row.line, reason: row.reason }
          else if (count++ < share) {
            documents.push({ document: row.document, ...(file.crs === undefined ? {} : { crs: file.crs }) })
          }
        }
      }
      if (!ended || count > share) isWhole = false
      if (source.file === '-') this.#held = { ...file, rows: resume(taken, iterator) }
      else {
        await iterator.return?.()
        file.input.close()
      }
    }
    return { documents, files, isWhole, ...(broken === undefined ? {} : { broken }) }
  }

  close(): void {
    this.#held?.input.close()
  }
}

async function* resume(
  taken: (readonly Row[])[],
  rest: AsyncIterator<readonly Row[]>,
): AsyncGenerator<readonly Row[], void, undefined> {
  for (let batch = taken.shift(); batch !== undefined; batch = taken.shift()) yield batch
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
}
