import type { BulkFile } from './bulk-file.ts'
import type { Draw, Question } from './questions.ts'

export interface LoadResult {
  readonly seconds: number
  readonly documentsPerSecond: number
  /** Tidying after the last batch (refresh, merge), not part of the rate. */
  readonly settleSeconds: number
  readonly peakMemoryMiB?: number
}

export interface Reply {
  readonly ms: number
  /** How many documents the answer counts or holds: what two systems must agree on. */
  readonly size: number
  /** Length of the answer. */
  readonly bytes: number
}

/** Something that can be loaded and asked: Periplus, or the node it is compared with. */
export interface System {
  readonly name: string
  readonly load: (file: BulkFile, documents: number, parallel: number) => Promise<LoadResult>
  readonly ask: (question: Question, draw: Draw) => Promise<Reply>
  /** Goes on with its result cache on, where it has one that was off. */
  readonly useCache?: () => Promise<void>
  /** Processor time its process has used so far; undefined where nobody tells. */
  readonly processorMs?: () => Promise<number | undefined>
  readonly peakMemoryMiB: () => Promise<number | undefined>
  readonly stop: () => Promise<void>
}
