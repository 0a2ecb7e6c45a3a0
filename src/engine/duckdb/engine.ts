import { randomUUID } from 'node:crypto'
import { problem } from '../../errors.ts'
import { extendMapping } from '../../mapping/extend-mapping.ts'
import { checkFieldCount } from '../../model/field-limit.ts'
import type { Mapping } from '../../model/mapping.ts'
import type { AggregationPlan, MeasurePlan, SuggestPlan } from '../../query/plan/aggregation-plan.ts'
import type { SearchPlan, Selection } from '../../query/plan/plan.ts'
import type {
  AggregationResult,
  Engine,
  EngineCapabilities,
  EngineHealth,
  EngineStatistics,
  IndexInfo,
  MeasureResult,
  OpenedFiles,
  SearchResult,
  StoredDocument,
  Suggestion,
  WriteOperation,
  WriteOptions,
  WriteResult,
} from '../engine.ts'
import { indexMatcher } from '../index-pattern.ts'
import type { EngineRead, ReadExplanation } from '../read-explanation.ts'
import { aggregate } from './aggregate/aggregator.ts'
import { measure } from './aggregate/measure.ts'
import {
  aggregateWithKernels,
  countWithKernels,
  documentWithKernels,
  measureWithKernels,
  searchWithKernels,
  suggestWithKernels,
} from './answer/kernel-answers.ts'
import { scanWithKernels } from './answer/kernel-scan.ts'
import { storedParts } from './answer/opened-tables.ts'
import type { Planner as PathPlanner } from './answer/planner.ts'
import { readGap, rowsToExamine } from './answer/read-gap.ts'
import type { ReadingThread } from './columns/reading-thread.ts'
import type { Compactor } from './compact/compactor.ts'
import type { PartStore } from './compact/part-store.ts'
import { holding, type Tables } from './condition/snapshot.ts'
import type { Database } from './database/database.ts'
import { checkOpened, OpenedSources, type openSources } from './files/opened-sources.ts'
import { type SourceDirectory, sourceFileOf } from './files/source-directory.ts'
import type { IndexDefinition } from './index/index-definition.ts'
import { declareColumns, layoutOf } from './index/table-layout.ts'
import type { Journal } from './journal/journal.ts'
import { DAMAGED, IndexParts } from './parts/index-parts.ts'
import { documentById } from './search/document-by-id.ts'
import { scan } from './search/document-scan.ts'
import { count, search } from './search/searcher.ts'
import { suggest } from './search/suggest.ts'
import { DamagedSegment } from './segment/file/segment-file.ts'
import type { SegmentMemory } from './segment/file/segment-memory.ts'
import { addDefinition, removeDefinition, saveDefinition } from './table/catalog.ts'
import { IndexTable } from './table/index-table.ts'
import type { DuckdbTagStore } from './tag/tag-store.ts'
import type { ChangeLog } from './write/change-log.ts'
import type { Flusher } from './write/flusher.ts'
import { addManyFields, setMapping } from './write/widen-mapping.ts'
import type { WritePlanner } from './write/write-planner.ts'
import type { Writes } from './write/writes.ts'

/** The two paths of a read. */
interface Ways<T> {
  readonly kernel: (tables: readonly IndexTable[]) => Promise<T>
  readonly sql: (tables: Tables) => Promise<T>
}

/** Components of the engine. */
interface EngineParts {
  readonly database: Database
  readonly sources: SourceDirectory
  readonly openSources: ReturnType<typeof openSources>
  readonly tables: Map<string, IndexTable>
  readonly changes: ChangeLog
  readonly tags: DuckdbTagStore
  readonly paths: PathPlanner
  readonly journal: Journal
  readonly flusher: Flusher
  readonly planner: WritePlanner
  readonly writes: Writes
  readonly compactor: Compactor
  readonly parts: PartStore
  readonly memory: SegmentMemory
  readonly thread: ReadingThread
  readonly mostFields: number
}

export class DuckdbEngine implements Engine {
  readonly name = 'embedded'
  readonly capabilities: EngineCapabilities
  readonly changes: ChangeLog
  readonly tags: DuckdbTagStore
  readonly #database: Database
  readonly #sources: SourceDirectory
  readonly #openSources: EngineParts['openSources']
  readonly #tables: Map<string, IndexTable>
  readonly #paths: PathPlanner
  readonly #journal: Journal
  readonly #flusher: Flusher
  readonly #planner: WritePlanner
  readonly #writes: Writes
  readonly #compactor: Compactor
  readonly #parts: PartStore
  readonly #memory: SegmentMemory
  readonly #thread: ReadingThread

  constructor(engine: EngineParts) {
    this.capabilities = { mostFields: engine.mostFields }
    this.changes = engine.changes
    this.tags = engine.tags
    this.#database = engine.database
    this.#sources = engine.sources
    this.#openSources = engine.openSources
    this.#tables = engine.tables
    this.#paths = engine.paths
    this.#journal = engine.journal
    this.#flusher = engine.flusher
    this.#planner = engine.planner
    this.#writes = engine.writes
    this.#compactor = engine.compactor
    this.#parts = engine.parts
    this.#memory = engine.memory
    this.#thread = engine.thread
  }

  async indices(pattern: string): Promise<readonly IndexInfo[]> {
    return Promise.all(this.#matching(pattern).map(describeIndex))
  }

  async documentCounts(pattern: string): Promise<ReadonlyMap<string, number>> {
    return new Map(this.#matching(pattern).map(({ definition: { name, documents } }) => [name, documents]))
  }

  /** Sources and segments. The database is shared by all indices. */
  async storedBytes(pattern: string): Promise<ReadonlyMap<string, number>> {
    const bytes = new Map<string, number>()
    for (const { definition } of this.#matching(pattern)) {
      bytes.set(definition.name, definition.sourceEnd + (await this.#parts.bytes(definition)))
    }
    return bytes
  }

  search(plan: SearchPlan, signal?: AbortSignal): Promise<SearchResult> {
    return this.#read({ method: 'search', plan }, signal, {
      kernel: (tables) => searchWithKernels(tables, plan, signal),
      sql: (tables) => search(this.#database, tables, plan, signal),
    })
  }

  count(selection: Selection, signal?: AbortSignal): Promise<number> {
    return this.#read({ method: 'count', plan: selection }, signal, {
      kernel: (tables) => countWithKernels(tables, selection, signal),
      sql: (tables) => count(this.#database, tables, selection, signal),
    })
  }

  async *scan(selection: Selection, signal?: AbortSignal): AsyncIterable<readonly StoredDocument[]> {
    await checkOpened(this.#named(selection.indices))
    yield* this.#scan(selection, signal)
  }

  /** Not part of `scan`, which would keep the tables in memory as long as it runs. */
  #scan(selection: Selection, signal: AbortSignal | undefined): AsyncIterable<readonly StoredDocument[]> {
    const tables = this.#covered({ method: 'scan', plan: selection })
    const withSql = () => this.#scanWithSql(selection, signal)
    if (!tables) return withSql()
    return this.#unlessDamaged(scanWithKernels(this.#database, tables, selection, signal), withSql)
  }

  async *#scanWithSql(selection: Selection, signal: AbortSignal | undefined): AsyncIterable<readonly StoredDocument[]> {
    await this.#flusher.flushed()
    yield* scan(this.#database, () => this.#named(selection.indices), selection, signal)
  }

  /** Damage is found before the first batch. */
  async *#unlessDamaged<T>(batches: AsyncIterable<T>, otherwise: () => AsyncIterable<T>): AsyncIterable<T> {
    try {
      yield* batches
      return
    } catch (error) {
      this.#fallBack(error)
    }
    yield* otherwise()
  }

  /** Lets the database answer if a segment turned out damaged, which is built again meanwhile. */
  #fallBack(error: unknown): void {
    if (!(error instanceof DamagedSegment)) throw error
    this.#parts.damaged(error)
    this.#paths.fellBack(DAMAGED)
  }

  aggregate(plan: AggregationPlan, signal?: AbortSignal): Promise<AggregationResult> {
    return this.#read({ method: 'aggregate', plan }, signal, {
      kernel: (tables) => aggregateWithKernels(tables, plan, signal),
      sql: (tables) => aggregate(this.#database, tables, plan, signal),
    })
  }

  measure(plan: MeasurePlan, signal?: AbortSignal): Promise<MeasureResult> {
    return this.#read({ method: 'measure', plan }, signal, {
      kernel: (tables) => measureWithKernels(tables, plan, signal),
      sql: (tables) => measure(this.#database, tables, plan, signal),
    })
  }

  suggest(plan: SuggestPlan, signal?: AbortSignal): Promise<readonly Suggestion[]> {
    return this.#read({ method: 'suggest', plan }, signal, {
      kernel: (tables) => suggestWithKernels(tables, plan, signal),
      sql: (tables) => suggest(this.#database, tables, plan, signal),
    })
  }

  async document(index: string, id: string, signal?: AbortSignal): Promise<StoredDocument | undefined> {
    const withSql = (): Promise<StoredDocument | undefined> =>
      this.#withSql(() => documentById(this.#database, () => this.#table(index), id, signal))
    const table = this.#table(index)
    await checkOpened([table])
    const gap = (): string | undefined => (table.parts.lost.length > 0 ? DAMAGED : undefined)
    if (this.#paths.choose(gap) === 'sql') return withSql()
    return this.#withKernels([table], signal, () => documentWithKernels(table, id, signal), withSql)
  }

  async explain(read: EngineRead, signal?: AbortSignal): Promise<ReadExplanation> {
    const tables = this.#named(read.plan.indices)
    const parts = storedParts(tables)
    const counted = {
      segments: tables.reduce((sum, table) => sum + table.definition.segments.length, 0),
      rows: parts.reduce((sum, { part }) => sum + part.rows, 0),
    }
    const shared = { ...counted, tails: parts.length - counted.segments }
    const withSql = (reason: string): ReadExplanation => ({ path: 'sql', reason, ...shared })
    const reason = this.#paths.reasonForSql(() => readGap(read, tables))
    if (reason !== undefined) return withSql(reason)
    try {
      const examined = await holding(tables, (held) => rowsToExamine(read, held, signal))
      return { path: 'kernel', ...shared, examined }
    } catch (error) {
      if (!(error instanceof DamagedSegment)) throw error
      this.#parts.damaged(error)
      return withSql(DAMAGED)
    }
  }

  /** Runs a read on the path that the planner chooses. */
  async #read<T>(read: EngineRead, signal: AbortSignal | undefined, ways: Ways<T>): Promise<T> {
    const named = this.#named(read.plan.indices)
    if (named.some(isOpened)) await checkOpened(named)
    const tables = this.#covered(read)
    const withSql = (): Promise<T> => this.#withSql(() => ways.sql(() => this.#named(read.plan.indices)))
    return tables ? this.#withKernels(tables, signal, ways.kernel, withSql) : withSql()
  }

  /** Reads from the database when it has all writes. */
  async #withSql<T>(work: () => Promise<T>): Promise<T> {
    await this.#flusher.flushed()
    return work()
  }

  /** `otherwise`: if a segment turns out damaged. */
  async #withKernels<T>(
    tables: readonly IndexTable[],
    signal: AbortSignal | undefined,
    kernel: Ways<T>['kernel'],
    otherwise: () => Promise<T>,
  ): Promise<T> {
    try {
      return await holding(tables, (held) => this.#database.compute(signal, () => kernel(held)))
    } catch (error) {
      this.#fallBack(error)
    }
    return otherwise()
  }

  /**
   * Returns the tables of a read, if kernels cover it. They must read these very tables: a write that comes before their
   * slot may add what they do not cover.
   */
  #covered(read: EngineRead): readonly IndexTable[] | undefined {
    const tables = this.#named(read.plan.indices)
    return this.#paths.choose(() => readGap(read, tables)) === 'kernel' ? tables : undefined
  }

  async createIndex(name: string, mapping: Mapping, opened?: OpenedFiles): Promise<void> {
    checkFieldCount(mapping, this.capabilities.mostFields)
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
      sourceFile: sourceFileOf(uuid, 1),
      sourceEnd: 0,
      sourceStale: 0,
      segments: [],
      version: 1,
      ...(opened && { opened: { ...opened, isSealed: false } }),
    }
    await this.#writes.exclusive(async (transact) => {
      if (this.#tables.has(name)) throw problem('CONFLICT', { name: `Index ${name}` })
      const created = await transact((connection) =>
        this.#sources.during(async (makeFile) => {
          await connection.run(`CREATE TABLE ${definition.table} (${declareColumns(layout)})`)
          await addDefinition(connection, definition)
          const sources = this.#openSources(definition, await makeFile(definition.sourceFile))
          return new IndexTable(definition, sources, IndexParts.none)
        }),
      )
      this.#tables.set(name, created)
    })
  }

  /** The files must not have changed while the index was filled. */
  async seal(name: string): Promise<void> {
    await this.#writes.exclusive(async (transact) => {
      const table = this.#table(name)
      const { opened, version } = table.definition
      if (opened === undefined) throw new Error(`index ${name} does not show opened files`)
      await checkOpened([table])
      const definition = { ...table.definition, opened: { ...opened, isSealed: true }, version: version + 1 }
      await transact((connection) => saveDefinition(connection, definition))
      this.#tables.set(name, table.changed(definition))
    })
  }

  async dropIndex(name: string): Promise<void> {
    const dropped = await this.#writes.exclusive(async (transact) => {
      const table = this.#table(name)
      await transact(async (connection) => {
        await connection.run(`DROP TABLE ${table.table}`)
        await removeDefinition(connection, name)
      })
      this.#tables.delete(name)
      return table
    })
    this.#planner.forget(dropped.definition.uuid)
    this.#compactor.forget(name)
    this.#parts.forget(name)
    await this.#parts.remove(dropped)
    await dropped.sources.remove()
  }

  /** One transaction: after a crash, both indices are there or the replaced one is gone. */
  async replaceIndex(name: string, by: string): Promise<void> {
    const dropped = await this.#writes.exclusive(async (transact) => {
      const [table, next] = [this.#table(name), this.#table(by)]
      if (table === next) throw problem('CONFLICT', { name: `Index ${name}`, reason: 'cannot replace itself' })
      const { definition } = next
      const renamed: IndexDefinition = { ...definition, name, version: definition.version + 1 }
      await transact(async (connection) => {
        await connection.run(`DROP TABLE ${table.table}`)
        await removeDefinition(connection, name)
        await removeDefinition(connection, by)
        await addDefinition(connection, renamed)
      })
      this.#tables.delete(by)
      this.#tables.set(name, next.changed(renamed))
      return table
    })
    this.#planner.forget(dropped.definition.uuid)
    for (const gone of [name, by]) {
      this.#compactor.forget(gone)
      this.#parts.forget(gone)
    }
    this.#compactor.wrote(name)
    this.#parts.written(name)
    await this.#parts.remove(dropped)
    await dropped.sources.remove()
  }

  async extendMapping(name: string, addition: Mapping): Promise<void> {
    await this.#writes.exclusive(async (transact) => {
      const table = this.#table(name)
      const { mapping } = table.definition
      if (isOpened(table)) throw problem('INDEX_READ_ONLY', { name })
      const wider = extendMapping(mapping, addition, 'refuse')
      checkFieldCount(wider, this.capabilities.mostFields, mapping)
      await setMapping(transact, this.#tables, await addManyFields(transact, this.#tables, table, wider), wider)
    })
  }

  async write(
    index: string,
    operations: readonly WriteOperation[],
    { load = randomUUID(), silent = false }: WriteOptions = {},
  ): Promise<readonly WriteResult[]> {
    const table = this.#table(index)
    const inFiles = operations.every((operation) => operation.kind === 'index' && operation.fileRow !== undefined)
    if (isOpened(table) && (table.definition.opened?.isSealed === true || !inFiles))
      throw problem('INDEX_READ_ONLY', { name: index })
    const results = await this.#writes.write(table, {
      index,
      operations,
      wants: (kind) => (silent ? 'nothing' : this.changes.wants(index, kind)),
      cause: `load:${load}`,
      acceptedMs: Date.now(),
      mark: () => this.changes.mark,
      isOpened: isOpened(table),
    })
    this.#compactor.wrote(index)
    this.#parts.written(index)
    return results
  }

  /** Does nothing: committed documents are visible immediately. */
  async refresh(_pattern: string): Promise<void> {}

  async arrange(pattern: string): Promise<void> {
    const names = this.#matching(pattern).map(({ name }) => name)
    await this.#compactor.now(names)
    await this.#parts.now(names)
  }

  statistics(): EngineStatistics {
    const { bytes, maxBytes, loads, evictions } = this.#memory
    const memory = { bytes, maxBytes, loads, evictions }
    return { reads: this.#database.reads, paths: this.#paths.counts, memory }
  }

  async health(): Promise<EngineHealth> {
    await this.#database.probe()
    return { ok: true, detail: `embedded engine, ${this.#tables.size} indices` }
  }

  async close(): Promise<void> {
    await this.tags.close()
    await this.#compactor.close()
    await this.#parts.close()
    await this.#writes.close()
    try {
      await this.#flusher.close()
    } finally {
      await this.#database.close({ checkpoint: true })
      await this.#journal.close()
    }
    await this.#thread.close()
    await closeFiles(this.#tables)
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

const isOpened = ({ definition }: IndexTable): boolean => definition.opened !== undefined

/** An index whose files were changed has another version: results that were kept must not be used. */
async function describeIndex({ definition, sources }: IndexTable): Promise<IndexInfo> {
  const { name, mapping, uuid, version, opened } = definition
  const isChanged = sources instanceof OpenedSources && !(await sources.isUnchanged())
  return {
    name,
    mapping,
    uuid,
    version: `${uuid}.${version}${isChanged ? '.changed' : ''}`,
    ...(opened && { isReadOnly: true }),
  }
}

export async function closeFiles(tables: ReadonlyMap<string, IndexTable>): Promise<void> {
  for (const { sources, parts } of tables.values()) {
    await sources.close()
    await parts.close()
  }
}
