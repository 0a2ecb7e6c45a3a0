import type { Answer, DatasetName, Draw, Question } from '../questions/question.ts'

/** The value that `tag` adds. */
export const TAGGED = { path: 'tags', value: 'bench' } as const

export interface Reply {
  readonly ms: number
  readonly answer: Answer
  /** Length of the answer. */
  readonly bytes: number
}

/** A system that documents can be loaded into. */
export interface Loadable {
  readonly name: string
  /** Process id, if it is a child process. */
  readonly pid: () => number | undefined
  /** True if it can store the documents of a dataset. */
  readonly holds: (dataset: DatasetName) => boolean
  /** Creates the empty indices or tables of a dataset. */
  readonly prepare: (dataset: DatasetName) => Promise<void>
  /** Writes a batch of bulk lines (index, update, delete); throws if a document is rejected. */
  readonly write: (dataset: DatasetName, lines: Buffer) => Promise<void>
  /** Returns when everything that was written can be found. */
  readonly refresh: (dataset: DatasetName) => Promise<void>
  /** Compacts the documents; they can be queried meanwhile. */
  readonly settle: (dataset: DatasetName) => Promise<void>
  /** True if it does so after a load without being told. */
  readonly settlesItself?: true
}

export interface System extends Loadable {
  readonly version: string
  /** Undefined if the system has no syntax for the question. */
  readonly ask: (question: Question, draw: Draw) => Promise<Reply | undefined>
  /** Adds a value to all documents of a kind. */
  readonly tag?: (dataset: DatasetName, kind: string) => Promise<void>
  readonly restart?: (options?: { readonly cache: boolean }) => Promise<void>
  /** Bytes on disk. */
  readonly diskBytes: () => Promise<number>
  readonly stop: () => Promise<void>
}
