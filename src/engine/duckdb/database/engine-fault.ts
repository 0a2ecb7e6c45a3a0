import { Problem, problem } from '../../../errors.ts'

// DuckDB's errors have no code, only a text that starts with their kind. Texts are matched in this file only.

/** When a statement runs and when a transaction commits. */
const OUT_OF_MEMORY = /^Out of Memory Error|failed to (?:pin|allocate) block|could not allocate block/i
const NO_ACCESS_TO_FILE = /^IO Error/i
const COMPLEX_PATTERN = /Invalid Input Error: .*(pattern too large|regexp|repetition)/i
const UNKNOWN_NAME = /^(Catalog|Binder) Error/
const FAILED_TRANSACTION = /^TransactionContext Error/
const NO_CHECKPOINT = /Cannot CHECKPOINT/
const LOCKED_FILE = /could not set lock|conflicting lock|being used by another process/i

const says = (error: unknown, pattern: RegExp): boolean => error instanceof Error && pattern.test(error.message)

/**
 * Converts faults of the machine to problems an operator understands. Other errors are bugs and are returned unchanged.
 */
export function engineProblem(error: unknown): unknown {
  if (error instanceof Problem || !(error instanceof Error)) return error
  const isMemory = isOutOfMemory(error)
  if (isMemory || says(error, NO_ACCESS_TO_FILE) || isFileFault(error)) {
    const reason = isMemory
      ? 'The engine ran out of memory for this request (setting engine.memoryMiB)'
      : 'The engine could not read or write its data directory; see the server log'
    return Object.assign(problem('ENGINE_UNAVAILABLE', { reason }, { 'Retry-After': '5' }), { cause: error })
  }
  if (says(error, COMPLEX_PATTERN)) {
    return problem('INVALID_FILTER', { parameter: 'f', reason: 'has a like pattern that is too complex; simplify it' })
  }
  return error
}

/** Errors on our own files, such as a full or failing disk. */
const isFileFault = (error: Error): boolean => 'syscall' in error && 'code' in error

export const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** True if DuckDB ran out of memory. A smaller request may succeed. */
export const isOutOfMemory = (error: unknown): boolean =>
  says(error instanceof Problem ? error.cause : error, OUT_OF_MEMORY)

/** True if a statement names a table or column that does not exist, such as one that was replaced meanwhile. */
export const isStale = (error: unknown): boolean => says(error, UNKNOWN_NAME)

/** True if a transaction failed, such as one in conflict with another. It may succeed on retry. */
export const isFailedTransaction = (error: unknown): boolean => says(error, FAILED_TRANSACTION)

/** True if concurrent transactions prevent a checkpoint. */
export const isCheckpointPrevented = (error: unknown): boolean => says(error, NO_CHECKPOINT)

/** Returns who has the database file open, if that is why it cannot be opened. */
export function lockHolder(error: unknown): string | undefined {
  if (!(error instanceof Error && LOCKED_FILE.test(error.message))) return undefined
  const pid = /PID (\d+)/.exec(error.message)?.[1]
  return pid === undefined ? 'another process' : `process ${pid}`
}
