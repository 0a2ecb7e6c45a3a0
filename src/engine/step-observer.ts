/**
 * Steps of executing a tag. Reported just before the named action (`planning`, `applying`, ...) or just after it is
 * durable (`planned`, `applied`, ...). `chosen`: the executor has taken a record and has written nothing for it yet.
 */
export type TagStep =
  | 'logging'
  | 'logged'
  | 'chosen'
  | 'planning'
  | 'planned'
  | 'applying'
  | 'writing'
  | 'committing'
  | 'applied'
  | 'finishing'
  | 'finished'
  | 'replaying'
  | 'replayed'

/**
 * Steps of storing documents in the embedded engine: writing to the journal, moving its writes into the database, and
 * replacing parts of an index by a segment. Reported as the steps of a tag.
 */
export type StorageStep =
  | 'journaling'
  | 'journaled'
  | 'flushing'
  | 'flush-committing'
  | 'flushed'
  | 'building'
  | 'built'
  | 'publishing'
  | 'published'

/** Called at each step. Tests terminate the process there. */
export type StepObserver<Step = TagStep> = (step: Step) => void | Promise<void>
