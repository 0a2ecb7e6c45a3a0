import { Problem, problem } from '../../../errors.ts'

/** Errors on our own files, such as a full or failing disk. */
const isFileFault = (error: Error): boolean => 'syscall' in error && 'code' in error

/** DuckDB's messages when a statement runs and when a transaction commits. */
const OUT_OF_MEMORY = /^Out of Memory Error|failed to (?:pin|allocate) block|could not allocate block/i

/**
 * Converts faults of the machine to problems an operator understands. Other errors are bugs and are returned unchanged.
 */
export function engineProblem(error: unknown): unknown {
  if (error instanceof Problem || !(error instanceof Error)) return error
  const isMemory = OUT_OF_MEMORY.test(error.message)
  if (isMemory || /^IO Error/i.test(error.message) || isFileFault(error)) {
    const reason = isMemory
      ? 'The engine ran out of memory for this request (setting engine.memoryMiB)'
      : 'The engine could not read or write its data directory; see the server log'
    return Object.assign(problem('ENGINE_UNAVAILABLE', { reason }, { 'Retry-After': '5' }), { cause: error })
  }
  if (/Invalid Input Error: .*(pattern too large|regexp|repetition)/i.test(error.message)) {
    return problem('INVALID_FILTER', { parameter: 'f', reason: 'has a like pattern that is too complex; simplify it' })
  }
  return error
}

export const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** True if DuckDB ran out of memory. A smaller request may succeed. */
export function isOutOfMemory(error: unknown): boolean {
  const cause = error instanceof Problem ? error.cause : error
  return cause instanceof Error && OUT_OF_MEMORY.test(cause.message)
}
