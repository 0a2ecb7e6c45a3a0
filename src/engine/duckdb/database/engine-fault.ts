import { Problem, problem } from '../../../errors.ts'

/** Of our own files: a full disk, a failing one. */
const isFileFault = (error: Error): boolean => 'syscall' in error && 'code' in error

/** As DuckDB says it when a statement runs, and when a transaction is committed. */
const OUT_OF_MEMORY = /^Out of Memory Error|failed to (?:pin|allocate) block|could not allocate block/i

/** Faults that are the machine's, not a bug of ours, become answers an operator understands; the rest stay errors. */
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
    return problem('INVALID_FILTER', { parameter: 'f', reason: 'has a like pattern that is too complex' })
  }
  return error
}

export const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** The engine's own memory did not suffice: less at once may. */
export function isOutOfMemory(error: unknown): boolean {
  const cause = error instanceof Problem ? error.cause : error
  return cause instanceof Error && OUT_OF_MEMORY.test(cause.message)
}
