/** How a command ends: 0 done, 1 failed, 2 wrongly called, 3 done but some documents were rejected. */
export const exitCodes = { done: 0, failed: 1, usage: 2, rejected: 3 } as const

/** A command cannot go on; the message is one sentence that says what to do next. */
export class CliFault extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode: number = exitCodes.failed) {
    super(message)
    this.name = 'CliFault'
    this.exitCode = exitCode
  }
}
