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

/** Called at each step. Tests terminate the process there. */
export type StepObserver = (step: TagStep) => void | Promise<void>
