import type { Selection } from '../../../query/plan/plan.ts'
import { Turn } from '../../../turn.ts'
import type { StoredDocument } from '../../engine.ts'
import { holding } from '../condition/snapshot.ts'
import type { Database } from '../database/database.ts'
import type { Sources } from '../files/source-file.ts'
import { compileFilter } from '../kernel/filter/filter.ts'
import type { NumberedPart } from '../kernel/numbered-part.ts'
import { openAll, type Part } from '../segment/part.ts'
import { fetchPlaced, type PlacedDocument } from '../table/found-documents.ts'
import type { IndexTable } from '../table/index-table.ts'
import { type BatchLimits, type MarkedPart, MarkedRows } from './marked-rows.ts'
import { storedParts, wantedOf, withParts } from './opened-tables.ts'

/** Documents of a batch: as many as in a scan of the database, fewer if they are large. */
const LIMITS: BatchLimits = { rows: 2048, bytes: 16 * 1024 * 1024 }

/** Maximum number of documents of the first batch. They are at random places of the source file. */
const FIRST_ROWS = 128

/** Name and source file of an index that is scanned. */
interface ScannedIndex {
  readonly name: string
  readonly sources: Sources
}

interface FirstDocuments {
  readonly index: ScannedIndex
  readonly places: readonly PlacedDocument[]
}

/**
 * Returns all documents of the selection in batches, from the parts that the tables have now. A slot is held until all
 * matches are known, no matter how slowly the caller consumes documents. The first batch is returned as soon as it is
 * found. Later ones are in the order of the source file.
 */
export function scanWithKernels(
  database: Database,
  tables: readonly IndexTable[],
  selection: Selection,
  signal: AbortSignal | undefined,
): AsyncIterable<readonly StoredDocument[]> {
  return new KernelScan(tables, selection).batches(database, signal)
}

class KernelScan {
  /** Emptied when the matches are known, so that a slow caller does not keep old versions in memory. */
  #tables: readonly IndexTable[]
  readonly #selection: Selection
  readonly #held: Sources[] = []
  /** Releases identifiers and extents. */
  readonly #releases: (() => void)[] = []
  readonly #first = new FirstBatch()
  readonly #found: { readonly index: ScannedIndex; readonly rows: MarkedRows }[] = []

  constructor(tables: readonly IndexTable[], selection: Selection) {
    this.#tables = tables
    this.#selection = selection
  }

  async *batches(database: Database, signal: AbortSignal | undefined): AsyncIterable<readonly StoredDocument[]> {
    const leaving = new AbortController()
    const stop = signal ? AbortSignal.any([signal, leaving.signal]) : leaving.signal
    let collected = Promise.resolve()
    try {
      this.#hold()
      collected = holding(this.#tables, (tables) => database.compute(stop, () => this.#open(tables, stop), 'long'))
      collected.catch(this.#first.fail)
      const first = await this.#first.found
      if (first) yield await fetchPlaced(first.index, first.places)
      await collected
      for (const { index: other, rows } of this.#found) {
        for await (const batch of rows.batches(LIMITS, new Turn(signal))) {
          signal?.throwIfAborted()
          yield await fetchPlaced(other, batch)
        }
      }
    } finally {
      leaving.abort()
      await collected.catch(() => undefined)
      for (const release of this.#releases) release()
      for (const sources of this.#held) await sources.release()
    }
  }

  /** Keeps the source files open, also beyond the time that their indices exist. */
  #hold(): void {
    for (const { sources } of this.#tables) {
      sources.hold()
      this.#held.push(sources)
    }
  }

  /** Opens everything before the first document is returned: if something cannot be read, another path can answer. */
  async #open(tables: readonly IndexTable[], signal: AbortSignal): Promise<void> {
    const places = { ids: true, extents: true }
    const stored = storedParts(tables).map(({ part }) => part)
    const kept = await openAll(stored, places, signal)
    this.#releases.push(kept.release)
    await withParts(tables, { ...places, ...wantedOf.selection(this.#selection) }, signal, (parts) =>
      this.#collect(tables, parts, new Turn(signal)),
    )
  }

  async #collect(tables: readonly IndexTable[], parts: readonly NumberedPart[], turn: Turn): Promise<void> {
    for (const [number, { name, sources, definition }] of tables.entries()) {
      const index = { name, sources }
      const rows = new MarkedRows(definition.sourceEnd)
      this.#found.push({ index, rows })
      for (const { part, table } of parts) {
        if (table !== number) continue
        await this.#mark(part, index, rows.add(part), turn)
        if (!this.#first.isEmpty) this.#first.complete()
      }
    }
    this.#first.complete()
    this.#tables = []
  }

  async #mark(part: Part, index: ScannedIndex, marks: MarkedPart, turn: Turn): Promise<void> {
    for (const { from, rows, count } of compileFilter(this.#selection.predicate, part).batches()) {
      for (let i = 0; i < count; i++) {
        const row = rows ? (rows[i] ?? 0) : from + i
        if (this.#first.isComplete) marks.mark(row)
        else this.#first.add(index, marks.place(row))
      }
      if (turn.isOver) await turn.next()
    }
  }
}

/** The first documents that are found, at most those of one part. */
class FirstBatch {
  isComplete = false
  #index: ScannedIndex | undefined
  readonly #places: PlacedDocument[] = []
  #bytes = 0
  readonly #found = Promise.withResolvers<FirstDocuments | undefined>()

  get found(): Promise<FirstDocuments | undefined> {
    return this.#found.promise
  }

  get isEmpty(): boolean {
    return this.#index === undefined
  }

  add(index: ScannedIndex, place: PlacedDocument): void {
    this.#index = index
    this.#places.push(place)
    this.#bytes += place.size
    if (this.#places.length === FIRST_ROWS || this.#bytes >= LIMITS.bytes) this.complete()
  }

  complete(): void {
    this.isComplete = true
    this.#found.resolve(this.#index && { index: this.#index, places: this.#places })
  }

  readonly fail = (error: unknown): void => this.#found.reject(error)
}
