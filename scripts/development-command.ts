import { createServer } from 'node:net'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { MissingTool } from './missing-tool.ts'

/** A mistake of whoever called; told without a stack. */
export class UsageFault extends Error {}

/** The exit code of a command that starts something for development: 1 with a sentence for what its caller can mend. */
export async function runCommand(main: (args: string[]) => Promise<number>): Promise<number> {
  try {
    return await main(process.argv.slice(2))
  } catch (error) {
    if (!(error instanceof MissingTool || error instanceof UsageFault)) throw error
    console.error(error.message)
    return 1
  }
}

/** Values of the flags of `npm run NAME`. */
export function readFlags<const Flags extends NonNullable<ParseArgsConfig['options']>>(
  name: string,
  args: string[],
  options: Flags,
) {
  try {
    return parseArgs({ args, options }).values
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageFault(`${reason}\nSee npm run ${name} -- --help`)
  }
}

export function wholeNumber(option: string, text: string, least: number, most: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw new UsageFault(`${option} must be a whole number from ${least} to ${most}, got '${text}'`)
}

export async function refuseTakenPort(port: number): Promise<void> {
  const taken = await new Promise<boolean>((told) => {
    const probe = createServer()
    probe.once('error', () => told(true))
    probe.listen(port, '127.0.0.1', () => probe.close(() => told(false)))
  })
  if (taken) throw new UsageFault(`Port ${port} cannot be used: it is taken. Choose another with --port.`)
}

/** Resolves, to nothing, when this process is asked to end. */
export function stopSignal(): Promise<undefined> {
  return new Promise((done) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => done(undefined))
  })
}
