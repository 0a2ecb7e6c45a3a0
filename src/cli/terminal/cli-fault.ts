/** Exit codes: 0 done, 1 failed, 2 invalid usage, 3 done but some documents were rejected. */
export const exitCodes = { done: 0, failed: 1, usage: 2, rejected: 3 } as const

/** Ends a command; the message is one sentence that says what to do next. */
export class CliFault extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode: number = exitCodes.failed) {
    super(message)
    this.name = 'CliFault'
    this.exitCode = exitCode
  }
}
