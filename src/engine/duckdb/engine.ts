import { randomUUID } from 'node:crypto'
import { problem } from '../../errors.ts'
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
import type { EngineRead, ReadExplanation } from '../read-explanation.ts'
import { WriteFeed } from '../write-feed.ts'
import type { Planner as PathPlanner } from './answer/planner.ts'
import type { ReadingThread } from './columns/reading-thread.ts'
import type { Compactor } from './compact/compactor.ts'
import type { PartStore } from './compact/part-store.ts'
import type { Database } from './database/database.ts'
import { EngineIndices, type OwnedParts } from './engine-indices.ts'
import { EngineReads, type ReadParts } from './engine-reads.ts'
import { OpenedSources } from './files/opened-sources.ts'
import type { Journal } from './journal/journal.ts'
import type { SegmentMemory } from './segment/file/segment-memory.ts'
import type { IndexTable } from './table/index-table.ts'
import { isOpened, matchingTables, tableOf } from './table/tables-by-name.ts'
import type { DuckdbTagStore } from './tag/tag-store.ts'
import type { ChangeLog } from './write/change-log.ts'
import type { Flusher } from './write/flusher.ts'
import type { Writes } from './write/writes.ts'

/** Components of the engine. */
interface EngineParts extends OwnedParts, Omit<ReadParts, 'tables'> {
  readonly changes: ChangeLog
  readonly tags: DuckdbTagStore
  readonly journal: Journal
  readonly memory: SegmentMemory
  readonly thread: ReadingThread
}

export class DuckdbEngine implements Engine {
  readonly name = 'embedded'
  readonly capabilities: EngineCapabilities
  readonly changes: ChangeLog
  readonly tags: DuckdbTagStore
  readonly writes = new WriteFeed()
  readonly #reads: EngineReads
  readonly #indices: EngineIndices
  readonly #database: Database
  readonly #tables: Map<string, IndexTable>
  readonly #paths: PathPlanner
  readonly #journal: Journal
  readonly #flusher: Flusher
  readonly #writes: Writes
  readonly #compactor: Compactor
  readonly #parts: PartStore
  readonly #memory: SegmentMemory
  readonly #thread: ReadingThread

  constructor(engine: EngineParts) {
    this.capabilities = { mostFields: engine.mostFields }
    this.changes = engine.changes
    this.tags = engine.tags
    this.#reads = new EngineReads(engine)
    this.#indices = new EngineIndices(engine)
    this.#database = engine.database
    this.#tables = engine.tables
    this.#paths = engine.paths
    this.#journal = engine.journal
    this.#flusher = engine.flusher
    this.#writes = engine.writes
    this.#compactor = engine.compactor
    this.#parts = engine.parts
    this.#memory = engine.memory
    this.#thread = engine.thread
  }

  async indices(pattern: string): Promise<readonly IndexInfo[]> {
    return Promise.all(matchingTables(this.#tables, pattern).map(describeIndex))
  }

  async revisions(indices: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const tables = indices.flatMap((name) => this.#tables.get(name) ?? [])
    return new Map(tables.map(({ name, definition: { uuid, version } }) => [name, `${uuid}.${version}`]))
  }

  async documentCounts(pattern: string): Promise<ReadonlyMap<string, number>> {
    return new Map(
      matchingTables(this.#tables, pattern).map(({ definition: { name, documents } }) => [name, documents]),
    )
  }

  /** Sources and segments. The database is shared by all indices. */
  async storedBytes(pattern: string): Promise<ReadonlyMap<string, number>> {
    const bytes = new Map<string, number>()
    for (const { definition } of matchingTables(this.#tables, pattern)) {
      bytes.set(definition.name, definition.sourceEnd + (await this.#parts.bytes(definition)))
    }
    return bytes
  }

  search(plan: SearchPlan, signal?: AbortSignal): Promise<SearchResult> {
    return this.#reads.search(plan, signal)
  }

  count(selection: Selection, signal?: AbortSignal): Promise<number> {
    return this.#reads.count(selection, signal)
  }

  scan(selection: Selection, signal?: AbortSignal): AsyncIterable<readonly StoredDocument[]> {
    return this.#reads.scan(selection, signal)
  }

  aggregate(plan: AggregationPlan, signal?: AbortSignal): Promise<AggregationResult> {
    return this.#reads.aggregate(plan, signal)
  }

  measure(plan: MeasurePlan, signal?: AbortSignal): Promise<MeasureResult> {
    return this.#reads.measure(plan, signal)
  }

  suggest(plan: SuggestPlan, signal?: AbortSignal): Promise<readonly Suggestion[]> {
    return this.#reads.suggest(plan, signal)
  }

  document(index: string, id: string, signal?: AbortSignal): Promise<StoredDocument | undefined> {
    return this.#reads.document(index, id, signal)
  }

  explain(read: EngineRead, signal?: AbortSignal): Promise<ReadExplanation> {
    return this.#reads.explain(read, signal)
  }

  createIndex(name: string, mapping: Mapping, opened?: OpenedFiles): Promise<void> {
    return this.#indices.create(name, mapping, opened)
  }

  seal(name: string): Promise<void> {
    return this.#indices.seal(name)
  }

  dropIndex(name: string): Promise<void> {
    return this.#indices.drop(name)
  }

  replaceIndex(name: string, by: string): Promise<void> {
    return this.#indices.replace(name, by)
  }

  extendMapping(name: string, addition: Mapping): Promise<void> {
    return this.#indices.extendMapping(name, addition)
  }

  async write(
    index: string,
    operations: readonly WriteOperation[],
    { load = randomUUID(), silent = false }: WriteOptions = {},
  ): Promise<readonly WriteResult[]> {
    const table = tableOf(this.#tables, index)
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
    this.writes.tell(index, operations, results)
    return results
  }

  /** Does nothing: committed documents are visible immediately. */
  async refresh(_pattern: string): Promise<void> {}

  async arrange(pattern: string): Promise<void> {
    const names = matchingTables(this.#tables, pattern).map(({ name }) => name)
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
}

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
