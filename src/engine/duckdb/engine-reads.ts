import type { AggregationPlan, MeasurePlan, SuggestPlan } from '../../query/plan/aggregation-plan.ts'
import type { SearchPlan, Selection } from '../../query/plan/plan.ts'
import type { AggregationResult, Engine, MeasureResult, SearchResult, StoredDocument, Suggestion } from '../engine.ts'
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
import type { PartStore } from './compact/part-store.ts'
import { holding, type Tables } from './condition/snapshot.ts'
import type { Database } from './database/database.ts'
import { checkOpened } from './files/opened-sources.ts'
import { DAMAGED } from './parts/index-parts.ts'
import { documentById } from './search/document-by-id.ts'
import { scan } from './search/document-scan.ts'
import { count, search } from './search/searcher.ts'
import { suggest } from './search/suggest.ts'
import { DamagedSegment } from './segment/file/segment-file.ts'
import type { IndexTable } from './table/index-table.ts'
import { isOpened, tableOf, tablesOf } from './table/tables-by-name.ts'
import type { Flusher } from './write/flusher.ts'

/** The two paths of a read. */
interface Ways<T> {
  readonly kernel: (tables: readonly IndexTable[]) => Promise<T>
  readonly sql: (tables: Tables) => Promise<T>
}

/** What reads need of the engine. */
export interface ReadParts {
  readonly database: Database
  readonly tables: ReadonlyMap<string, IndexTable>
  readonly paths: PathPlanner
  readonly flusher: Flusher
  readonly parts: PartStore
}

type Reading = Pick<Engine, 'search' | 'count' | 'scan' | 'aggregate' | 'measure' | 'suggest' | 'document' | 'explain'>

/** Answers reads, each with kernels on segments or with SQL. */
export class EngineReads implements Reading {
  readonly #database: Database
  readonly #tables: ReadonlyMap<string, IndexTable>
  readonly #paths: PathPlanner
  readonly #flusher: Flusher
  readonly #parts: PartStore

  constructor({ database, tables, paths, flusher, parts }: ReadParts) {
    this.#database = database
    this.#tables = tables
    this.#paths = paths
    this.#flusher = flusher
    this.#parts = parts
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
      this.#withSql(() => documentById(this.#database, () => tableOf(this.#tables, index), id, signal))
    const table = tableOf(this.#tables, index)
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

  #named(names: readonly string[]): readonly IndexTable[] {
    return tablesOf(this.#tables, names)
  }
}
