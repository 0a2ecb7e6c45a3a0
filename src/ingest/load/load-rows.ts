import { valueAt } from '../../model/json/json-object.ts'
import { shapeDocument } from '../plan/document-shape.ts'
import type { FileSet, OpenFile } from '../plan/file-set.ts'
import type { LoadPlan } from '../plan/load-plan.ts'
import { type DocumentRow, isBroken, type Row } from '../row.ts'
import { InputFault } from '../source/input-fault.ts'
import type { LoadReport, LoadTarget, OutgoingDocument, Reject } from './load-target.ts'

/** Maximum documents and characters of a batch. */
const BATCH_DOCUMENTS = 5_000
const BATCH_CHARACTERS = 4_000_000

export interface LoadedRows {
  readonly created: number
  readonly replaced: number
  readonly rejected: number
  /** Why the first rejected row was rejected. */
  readonly firstReject?: Reject
}

export interface RowTarget {
  readonly index: string
  /** Number of the row before the first one. */
  readonly rowsBefore: number
  /** Field whose value is the document id in the index, so that loading again replaces the document. */
  readonly idPath?: string
  /** Loading fails when it aborts. */
  readonly signal?: AbortSignal
}

interface Batch {
  readonly rejects: Omit<Reject, 'reason' | 'text'>[]
  readonly documents: OutgoingDocument[]
  characters: number
}

/** Writes the rows of the files into an index in batches; memory use does not depend on their number. */
export class RowLoader {
  readonly #target: Pick<LoadTarget, 'write'>
  readonly #report: Pick<LoadReport, 'reject' | 'progress'>
  readonly #plan: LoadPlan
  readonly #into: RowTarget
  #created = 0
  #replaced = 0
  #rejected = 0
  #firstReject: Reject | undefined
  #bytesBefore = 0
  #bytesRead: () => number = () => 0
  #batch = emptyBatch()
  #writing: Promise<void> = Promise.resolve()

  constructor(
    target: Pick<LoadTarget, 'write'>,
    report: Pick<LoadReport, 'reject' | 'progress'>,
    plan: LoadPlan,
    into: RowTarget,
  ) {
    this.#target = target
    this.#report = report
    this.#plan = plan
    this.#into = into
  }

  get loaded(): LoadedRows {
    const first = this.#firstReject
    return {
      created: this.#created,
      replaced: this.#replaced,
      rejected: this.#rejected,
      ...(first === undefined ? {} : { firstReject: first }),
    }
  }

  async load(files: FileSet): Promise<LoadedRows> {
    try {
      let before = this.#into.rowsBefore
      for (const source of files.sources) {
        const file = await files.open(source)
        this.#bytesRead = file.input.bytesRead
        const close = (): void => file.input.close()
        this.#into.signal?.addEventListener('abort', close)
        try {
          before = await this.#loadFile(file, before, files.sources.length > 1)
        } catch (error) {
          this.#checkSignal()
          throw error
        } finally {
          this.#into.signal?.removeEventListener('abort', close)
          close()
        }
        this.#checkSignal()
        this.#bytesBefore += file.input.size ?? 0
        this.#bytesRead = () => 0
      }
      if (this.#batch.documents.length > 0) await this.#start()
    } finally {
      // count the batch in progress too if reading fails
      await this.#writing
    }
    return this.loaded
  }

  /** Returns the number of the last row. */
  async #loadFile(file: OpenFile, before: number, isNamed: boolean): Promise<number> {
    const name = isNamed ? { file: file.name } : {}
    // Not the number of the line: several documents may begin in one.
    let number = before
    for await (const rows of file.rows) {
      this.#checkSignal()
      for (const row of rows) {
        number += 1
        await this.#add(row, number, file, name)
      }
      this.#advance()
    }
    return number
  }

  #checkSignal(): void {
    if (this.#into.signal?.aborted === true) throw new InputFault('Interrupted.')
  }

  async #add(row: Row, number: number, file: OpenFile, name: Pick<Reject, 'file'>): Promise<void> {
    const prepared = isBroken(row) ? row : this.#prepare(row, number, file)
    if ('reason' in prepared) {
      this.#reject([{ ...name, line: row.line, reason: prepared.reason, text: prepared.text }])
      return
    }
    const batch = this.#batch
    batch.rejects.push({ ...name, line: row.line })
    batch.documents.push(prepared)
    batch.characters += prepared.text.length
    if (batch.documents.length >= BATCH_DOCUMENTS || batch.characters >= BATCH_CHARACTERS) await this.#start()
  }

  /** Returns the document to send, with what the plan adds and its id. */
  #prepare(row: DocumentRow, number: number, { crs }: OpenFile): OutgoingDocument | { reason: string; text: string } {
    const shaped = shapeDocument(row.document, number, this.#plan.shape, crs)
    if (typeof shaped === 'string') return { reason: shaped, text: JSON.stringify(row.document) }
    const text = shaped === row.document && row.text !== undefined ? row.text : JSON.stringify(shaped)
    const { idPath } = this.#into
    const id = idPath === undefined ? undefined : valueAt(shaped, idPath)
    const named = typeof id === 'string' || typeof id === 'number' ? { id: String(id) } : {}
    if (named.id === '') return { reason: `has an empty ${idPath}`, text }
    return { ...named, source: shaped, text, row: number }
  }

  /**
   * Writes the batch while the next one is read. Never writes two at once: for two documents with one id the later must
   * win.
   */
  async #start(): Promise<void> {
    const batch = this.#batch
    this.#batch = emptyBatch()
    await this.#writing
    this.#writing = this.#write(batch)
    // a failure is thrown at the next await
    this.#writing.catch(() => undefined)
  }

  async #write({ documents, rejects }: Batch): Promise<void> {
    const results = await this.#target.write(this.#into.index, documents)
    for (const [i, result] of results.entries()) {
      if (!result.ok) {
        this.#reject([{ line: 0, ...rejects[i], reason: result.reason, text: documents[i]?.text ?? '' }])
      } else if (result.result === 'updated') this.#replaced += 1
      else this.#created += 1
    }
    this.#advance()
  }

  #reject(rejects: readonly Reject[]): void {
    this.#rejected += rejects.length
    this.#firstReject ??= rejects[0]
    this.#report.reject(rejects)
  }

  #advance(): void {
    const documents = this.#created + this.#replaced
    this.#report.progress({ documents, rejected: this.#rejected, bytes: this.#bytesBefore + this.#bytesRead() })
  }
}

const emptyBatch = (): Batch => ({ rejects: [], documents: [], characters: 0 })
