import { randomUUID } from 'node:crypto'
import { problem } from '../../errors.ts'
import { extendMapping } from '../../model/extend-mapping.ts'
import type { Mapping } from '../../model/mapping.ts'
import type { AggregationPlan, MeasurePlan, SuggestPlan } from '../../query/aggregation-plan.ts'
import type { SearchPlan, Selection } from '../../query/plan.ts'
import type {
  AggregationResult,
  Engine,
  EngineHealth,
  EngineStatistics,
  IndexInfo,
  MeasureResult,
  SearchResult,
  StoredDocument,
  Suggestion,
  WriteOperation,
  WriteResult,
} from '../engine.ts'
import { indexMatcher } from '../index-matcher.ts'
import { aggregate } from './aggregator.ts'
import { arrange, dropTables, needsArranging } from './arrangement.ts'
import { readCatalog, removeDefinition, saveDefinition } from './catalog.ts'
import { Database, type DatabaseOptions } from './database.ts'
import { scan } from './document-scan.ts'
import { type IndexDefinition, IndexTable } from './index-table.ts'
import { addColumns, IndexWriter } from './index-writer.ts'
import { measure } from './measure.ts'
import { count, document, search } from './searcher.ts'
import { SourceDirectory, sourceFileOf } from './source-directory.ts'
import { suggest } from './suggest.ts'
import { declareColumns, layoutOf } from './table-layout.ts'
import { noTerms } from './term-ranks.ts'

/** After this long without a write the storage is put in order. */
const IDLE_MS = 1500

const INTERRUPT_EVERY_MS = 10

export interface DuckdbEngineOptions extends DatabaseOptions {
  /** Told of faults of background work, which no request can report; they are printed unless given. */
  readonly onBackgroundFault?: (error: unknown) => void
}

/** Opens the embedded engine; the data directory is made when it does not exist. */
export async function openDuckdbEngine(options: DuckdbEngineOptions): Promise<Engine> {
  const database = await Database.open(options)
  try {
    const sources = await SourceDirectory.open(options.directory)
    const tables = await database.write((connection) => readCatalog(connection, sources))
    await sources.removeOthers(new Set([...tables.values()].map((t) => t.definition.sourceFile)))
    return new DuckdbEngine(database, sources, tables, options.onBackgroundFault ?? console.error)
  } catch (error) {
    await database.close({ checkpoint: false })
    throw error
  }
}

class DuckdbEngine implements Engine {
  readonly name = 'embedded'
  readonly capabilities = {}
  readonly #database: Database
  readonly #sources: SourceDirectory
  readonly #tables: Map<string, IndexTable>
  readonly #writer = new IndexWriter()
  readonly #idleTimers = new Map<string, NodeJS.Timeout>()
  /** Writes under way, by index. */
  readonly #writing = new Map<string, number>()
  readonly #onBackgroundFault: (error: unknown) => void
  #arranging = false
  #closing = false

  constructor(
    database: Database,
    sources: SourceDirectory,
    tables: Map<string, IndexTable>,
    onBackgroundFault: (error: unknown) => void,
  ) {
    this.#database = database
    this.#sources = sources
    this.#tables = tables
    this.#onBackgroundFault = onBackgroundFault
    for (const name of tables.keys()) this.#arrangeWhenIdle(name)
  }

  async indices(pattern: string): Promise<readonly IndexInfo[]> {
    return this.#matching(pattern).map(({ definition: { name, mapping, uuid, version } }) => ({
      name,
      mapping,
      uuid,
      version: `${uuid}.${version}`,
    }))
  }

  async documentCounts(pattern: string): Promise<ReadonlyMap<string, number>> {
    return new Map(this.#matching(pattern).map(({ definition: { name, documents } }) => [name, documents]))
  }

  search(plan: SearchPlan, signal?: AbortSignal): Promise<SearchResult> {
    return search(this.#database, () => this.#named(plan.indices), plan, signal)
  }

  count(selection: Selection, signal?: AbortSignal): Promise<number> {
    return count(this.#database, () => this.#named(selection.indices), selection, signal)
  }

  scan(selection: Selection, signal?: AbortSignal): AsyncIterable<readonly StoredDocument[]> {
    return scan(this.#database, () => this.#named(selection.indices), selection, signal)
  }

  aggregate(plan: AggregationPlan, signal?: AbortSignal): Promise<AggregationResult> {
    return aggregate(this.#database, () => this.#named(plan.indices), plan, signal)
  }

  measure(plan: MeasurePlan, signal?: AbortSignal): Promise<MeasureResult> {
    return measure(this.#database, () => this.#named(plan.indices), plan, signal)
  }

  suggest(plan: SuggestPlan, signal?: AbortSignal): Promise<readonly Suggestion[]> {
    return suggest(this.#database, () => this.#named(plan.indices), plan, signal)
  }

  document(index: string, id: string, signal?: AbortSignal): Promise<StoredDocument | undefined> {
    return document(this.#database, () => this.#table(index), id, signal)
  }

  async createIndex(name: string, mapping: Mapping): Promise<void> {
    const uuid = randomUUID()
    const layout = layoutOf(mapping)
    const definition: IndexDefinition = {
      name,
      uuid,
      table: `index_${uuid.replaceAll('-', '')}`,
      mapping,
      layout,
      documents: 0,
      nextSeq: 0,
      arrangedSeq: 0,
      lookups: [],
      sourceFile: sourceFileOf(uuid, 1),
      sourceEnd: 0,
      version: 1,
    }
    const created = await this.#database.write((connection) =>
      this.#sources.during(async (makeFile) => {
        if (this.#tables.has(name)) throw problem('CONFLICT', { name: `Index ${name}` })
        await connection.run(`CREATE TABLE ${definition.table} (${declareColumns(layout)})`)
        await saveDefinition(connection, definition)
        return new IndexTable(definition, noTerms, await makeFile(definition.sourceFile))
      }),
    )
    this.#tables.set(name, created)
  }

  async dropIndex(name: string): Promise<void> {
    const dropped = await this.#database.write(async (connection) => {
      const table = this.#table(name)
      await dropTables(connection, table)
      await removeDefinition(connection, name)
      return table
    })
    this.#tables.delete(name)
    this.#writer.forget(dropped.definition.uuid)
    clearTimeout(this.#idleTimers.get(name))
    this.#idleTimers.delete(name)
    await dropped.sources.remove()
  }

  async extendMapping(name: string, addition: Mapping): Promise<void> {
    const changed = await this.#database.write(async (connection) => {
      const { definition, terms, sources } = this.#table(name)
      const mapping = extendMapping(definition.mapping, addition, 'refuse')
      const layout = layoutOf(mapping, definition.layout)
      await addColumns(connection, definition, layout)
      const next = { ...definition, mapping, layout, version: definition.version + 1 }
      await saveDefinition(connection, next)
      return new IndexTable(next, terms, sources)
    })
    this.#tables.set(name, changed)
  }

  async write(index: string, operations: readonly WriteOperation[]): Promise<readonly WriteResult[]> {
    clearTimeout(this.#idleTimers.get(index))
    this.#writing.set(index, (this.#writing.get(index) ?? 0) + 1)
    try {
      const prepared = this.#writer.prepare(this.#table(index), operations)
      const { results, table } = await this.#database.write(async (connection) =>
        this.#writer.write(connection, this.#table(index), operations, prepared),
      )
      this.#tables.set(index, table)
      return results
    } finally {
      const others = (this.#writing.get(index) ?? 1) - 1
      if (others > 0) this.#writing.set(index, others)
      else this.#writing.delete(index)
      this.#arrangeWhenIdle(index)
    }
  }

  /** Committed documents are visible at once. */
  async refresh(_pattern: string): Promise<void> {}

  async arrange(pattern: string): Promise<void> {
    for (const { name, definition, hasTail } of this.#matching(pattern)) {
      if (hasTail || definition.documents < definition.nextSeq) await this.#arrange(name)
    }
  }

  statistics(): EngineStatistics {
    return { reads: this.#database.reads }
  }

  async health(): Promise<EngineHealth> {
    await this.#database.probe()
    return { ok: true, detail: `embedded engine, ${this.#tables.size} indices` }
  }

  async close(): Promise<void> {
    for (const timer of this.#idleTimers.values()) clearTimeout(timer)
    this.#idleTimers.clear()
    this.#closing = true
    // Arranging may take a minute and loses nothing when it is given up. An interruption between two of its statements
    // goes unnoticed, so it is repeated.
    const interruption = setInterval(() => {
      if (this.#arranging) this.#database.interruptWrite()
    }, INTERRUPT_EVERY_MS)
    try {
      await this.#closeDatabase()
    } finally {
      clearInterval(interruption)
    }
  }

  async #closeDatabase(): Promise<void> {
    // Compressing a large tail takes long and would be done again when it is arranged.
    const checkpoint = ![...this.#tables.values()].some((t) => needsArranging(t.definition))
    await this.#database.close({ checkpoint })
    for (const { sources } of this.#tables.values()) await sources.close()
  }

  async #arrange(name: string): Promise<void> {
    const arranged = await this.#database.write((connection) =>
      this.#sources.during(async (makeFile) => {
        const table = this.#tables.get(name)
        if (!table || this.#closing) return undefined
        this.#arranging = true
        try {
          return { table: await arrange(connection, table, makeFile), before: table.sources }
        } finally {
          this.#arranging = false
        }
      }),
    )
    if (!arranged) return
    const { table, before } = arranged
    this.#tables.set(name, table)
    if (table.sources !== before) await before.remove()
    await this.#database.checkpoint()
  }

  #arrangeWhenIdle(name: string): void {
    clearTimeout(this.#idleTimers.get(name))
    const table = this.#tables.get(name)
    if (!table || this.#writing.has(name) || !needsArranging(table.definition)) return
    const timer = setTimeout(() => {
      this.#idleTimers.delete(name)
      this.#arrange(name).catch((error: unknown) => {
        // Given up because the engine is closing.
        if (!this.#closing) this.#onBackgroundFault(error)
      })
    }, IDLE_MS)
    timer.unref()
    this.#idleTimers.set(name, timer)
  }

  #table(name: string): IndexTable {
    const table = this.#tables.get(name)
    if (!table) throw problem('INDEX_NOT_FOUND', { name })
    return table
  }

  #named(names: readonly string[]): readonly IndexTable[] {
    return names.map((name) => this.#table(name))
  }

  #matching(pattern: string): readonly IndexTable[] {
    const matches = indexMatcher(pattern)
    return [...this.#tables.values()].filter((t) => matches(t.name)).sort((a, b) => (a.name < b.name ? -1 : 1))
  }
}
