import type { Draw, Question } from './questions.ts'

export interface Reply {
  readonly ms: number
  /** How many documents the answer counts or holds: what two systems must agree on. */
  readonly size: number
  /** Length of the answer. */
  readonly bytes: number
}

/** Something that can be filled: Periplus, or the node it is compared with. */
export interface Loadable {
  readonly name: string
  /** Its process, where it is one of ours. */
  readonly pid: () => number | undefined
  /** Makes an index that is empty. */
  readonly prepare: () => Promise<void>
  /** Writes a batch of bulk lines; throws when a document is refused. */
  readonly write: (lines: Buffer) => Promise<void>
  /** Puts the index in order behind the last batch, so that it can be asked. */
  readonly settle: () => Promise<void>
}

export interface System extends Loadable {
  readonly ask: (question: Question, draw: Draw) => Promise<Reply>
  /** Goes on with its result cache on, where it has one that was off. */
  readonly useCache?: () => Promise<void>
  readonly stop: () => Promise<void>
}
