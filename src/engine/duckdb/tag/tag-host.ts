import type { StepObserver } from '../../step-observer.ts'
import type { Database } from '../database/database.ts'
import type { IndexTable } from '../table/index-table.ts'
import type { ChangeLog } from '../write/change-log.ts'
import type { Flusher } from '../write/flusher.ts'
import type { Writes } from '../write/writes.ts'
import type { BatchLimits } from './batch-size.ts'
import type { BlockLimits } from './tag-plan.ts'

/** Settings of tag execution. */
export interface TagStoreOptions {
  readonly batch: BatchLimits
  readonly blocks: BlockLimits
  /** Bytes of the write-ahead log above which a checkpoint runs before a batch. */
  readonly walLimit: number
}

export const defaultTagging: TagStoreOptions = {
  batch: { start: 10_000, min: 100, max: 50_000, targetMs: 250 },
  blocks: { from: 200_000, share: 1 / 20 },
  walLimit: 128 * 1024 * 1024,
}

/** What the store needs of its engine. */
export interface TagHost {
  readonly database: Database
  readonly changes: ChangeLog
  readonly flusher: Flusher
  readonly writes: Writes
  readonly table: (name: string) => IndexTable | undefined
  /** Publishes a table that a batch has changed. */
  readonly replace: (table: IndexTable) => void
  readonly options: TagStoreOptions
  readonly steps?: StepObserver
}
