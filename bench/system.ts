import type { Draw, Question } from './questions.ts'

export interface Reply {
  readonly ms: number
  /** Number of documents counted or contained in the answer; must be equal for both systems. */
  readonly size: number
  /** Length of the answer. */
  readonly bytes: number
}

/** A system that documents can be loaded into: Periplus, or the node it is compared with. */
export interface Loadable {
  readonly name: string
  /** Process id, if it is a child process. */
  readonly pid: () => number | undefined
  /** Creates an empty index. */
  readonly prepare: () => Promise<void>
  /** Writes a batch of bulk lines; throws if a document is rejected. */
  readonly write: (lines: Buffer) => Promise<void>
  /** Refreshes and compacts the index after the last batch. */
  readonly settle: () => Promise<void>
}

export interface System extends Loadable {
  readonly ask: (question: Question, draw: Draw) => Promise<Reply>
  /** Restarts with the result cache on, if it has one. */
  readonly useCache?: () => Promise<void>
  readonly stop: () => Promise<void>
}
