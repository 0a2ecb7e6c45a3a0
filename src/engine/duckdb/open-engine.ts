import { MOST_FIELDS } from '../../model/field-limit.ts'
import type { Engine } from '../engine.ts'
import type { StepObserver, StorageStep } from '../step-observer.ts'
import { type Path, Planner as PathPlanner } from './answer/planner.ts'
import { ReadingThread } from './columns/reading-thread.ts'
import { BuilderThread } from './compact/builder-thread.ts'
import { Compactor } from './compact/compactor.ts'
import { PartStore } from './compact/part-store.ts'
import { Database, type DatabaseOptions, SEGMENT_SHARE } from './database/database.ts'
import { closeFiles, DuckdbEngine } from './engine.ts'
import { type OpenRows, openSources } from './files/opened-sources.ts'
import { SourceDirectory } from './files/source-directory.ts'
import { Journal } from './journal/journal.ts'
import type { DamagedSegment } from './segment/file/segment-file.ts'
import { SegmentMemory } from './segment/file/segment-memory.ts'
import { dropOrphans, makeCatalog, readCatalog, removeUnsealed } from './table/catalog.ts'
import type { IndexTable } from './table/index-table.ts'
import { convertStorage3 } from './table/storage-3.ts'
import { defaultTagging, type TagStoreOptions } from './tag/tag-host.ts'
import { DuckdbTagStore } from './tag/tag-store.ts'
import { ChangeLog } from './write/change-log.ts'
import { flush, makeJournalTable, readFlushed } from './write/flush.ts'
import { Flusher } from './write/flusher.ts'
import { readEntries } from './write/journal-entry.ts'
import { WritePlanner } from './write/write-planner.ts'
import { Writes } from './write/writes.ts'

export interface DuckdbEngineOptions extends DatabaseOptions {
  /** Receives faults of background work, which no request can report. Default: print them. */
  readonly onBackgroundFault?: (error: unknown) => void
  /** Receives the name of each index of an older version whose storage was converted at the start. */
  readonly onConverted?: (index: string) => void
  /** Receives what an operator should know, such as a segment that is built again. */
  readonly onNotice?: (text: string) => void
  /** Returns the path of the next read, for tests that compare the paths. Default: the planner decides. */
  readonly path?: () => Path | undefined
  readonly tagging?: Partial<TagStoreOptions>
  /** Budget of columns of segments in memory, for tests. Default: a share of `memoryMiB`. */
  readonly segmentBytes?: number
  /** Maximum number of fields per index (`limits.fields`). */
  readonly mostFields?: number
  /** Reads the documents of indices of opened files. */
  readonly openRows?: OpenRows
  /** Notified of the steps of tag requests. */
  readonly steps?: StepObserver
  /** Notified of the steps of storing documents. */
  readonly storageSteps?: StepObserver<StorageStep>
}

/** Opens the embedded engine. Creates the data directory if it does not exist. */
export async function openDuckdbEngine(options: DuckdbEngineOptions): Promise<Engine> {
  const { onBackgroundFault: onFault = console.error, onConverted = () => undefined } = options
  const { onNotice = () => undefined } = options
  const { directory, steps, storageSteps, mostFields = MOST_FIELDS } = options
  const database = await Database.open(options)
  let tables = new Map<string, IndexTable>()
  try {
    const sources = await SourceDirectory.open(directory)
    await database.write(makeCatalog)
    await convertStorage3((work) => database.write(work), onConverted)
    tables = await database.write(async (connection) => {
      await removeUnsealed(connection)
      const found = await readCatalog(connection, sources, openSources(options.openRows))
      await dropOrphans(connection, found.values())
      return found
    })
    await sources.removeOthers(new Set([...tables.values()].map(({ definition }) => definition.sourceFile)))
    const changes = await ChangeLog.open(database)
    const journal = await openJournal(directory, database, tables, changes)
    const shared = { database, tables, onFault, ...(storageSteps && { steps: storageSteps }) }
    const thread = new ReadingThread(onFault)
    const flusher = new Flusher({ ...shared, journal, changes, thread })
    changes.waitFor(() => flusher.flushed())
    const planner = new WritePlanner(thread, mostFields)
    const { segmentBytes = Math.floor(options.memoryMiB * SEGMENT_SHARE) * 2 ** 20 } = options
    const memory = new SegmentMemory(segmentBytes)
    const building = { thread: new BuilderThread(), memory, dataDirectory: directory, onNotice }
    const parts = await PartStore.open({ ...shared, flusher, ...building })
    await parts.load()
    const lose = (error: DamagedSegment): Promise<boolean> => parts.lose(error)
    const writes = new Writes({ ...shared, journal, flusher, changes, planner, lose })
    const compactor = new Compactor({ ...shared, writes, sources })
    const tags = await DuckdbTagStore.open({
      database,
      changes,
      flusher,
      writes,
      table: (name) => tables.get(name),
      replace: (table) => {
        tables.set(table.name, table)
        compactor.wrote(table.name)
        parts.written(table.name)
      },
      options: { ...defaultTagging, ...options.tagging },
      ...(steps ? { steps } : {}),
    })
    const paths = new PathPlanner(options.path)
    const writing = { journal, flusher, planner, writes, changes, tags }
    const background = { compactor, parts, memory, thread }
    const files = { sources, openSources: openSources(options.openRows) }
    return new DuckdbEngine({ database, ...files, tables, paths, mostFields, ...writing, ...background })
  } catch (error) {
    await closeFiles(tables)
    await database.close({ checkpoint: false })
    throw error
  }
}

/** Opens the journal and moves its writes into the database: those that were acknowledged before the process ended. */
async function openJournal(
  directory: string,
  database: Database,
  tables: Map<string, IndexTable>,
  changes: ChangeLog,
): Promise<Journal> {
  const flushed = await database.write(async (connection) => {
    await makeJournalTable(connection)
    return readFlushed(connection)
  })
  const { journal, records } = await Journal.open(directory, flushed)
  const last = records.at(-1)
  if (!last) return journal
  try {
    const writes = records.map(({ number, payload }) => ({ number, entries: readEntries(payload) }))
    const table = (name: string): IndexTable | undefined => tables.get(name)
    const definitions = await database.write((connection) =>
      flush(connection, writes, { table, changes, writesSources: true }),
    )
    for (const definition of definitions) {
      const before = tables.get(definition.name)
      if (before) tables.set(definition.name, before.changed(definition))
    }
  } catch (error) {
    await journal.close()
    throw error
  }
  journal.flushed(last.number)
  return journal
}
