/**
 * Steps of carrying out a tag, told just before (`planning`, `applying`, ...) or just after what they name is durable.
 * `chosen`: the executor has taken a record, of which nothing is written yet.
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

/** Told of steps as they are reached; tests end the process there. */
export type StepObserver = (step: TagStep) => void | Promise<void>
