import { createServer } from 'node:net'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { MissingTool } from './tools/missing-tool.ts'

/** A usage error; printed without a stack trace. */
export class UsageFault extends Error {}

/** Runs a development command and returns its exit code; 1 with a message for errors that the user can fix. */
export async function runCommand(main: (args: string[]) => Promise<number>): Promise<number> {
  try {
    return await main(process.argv.slice(2))
  } catch (error) {
    if (!(error instanceof MissingTool || error instanceof UsageFault)) throw error
    console.error(error.message)
    return 1
  }
}

/** Parses the flags of `npm run NAME`. */
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
  throw new UsageFault(`${option} must be an integer from ${least} to ${most}, got '${text}'`)
}

export async function refuseTakenPort(port: number): Promise<void> {
  const taken = await new Promise<boolean>((told) => {
    const probe = createServer()
    probe.once('error', () => told(true))
    probe.listen(port, '127.0.0.1', () => probe.close(() => told(false)))
  })
  if (taken) throw new UsageFault(`Port ${port} is in use. Choose another with --port.`)
}

/** Resolves when this process receives a stop signal. */
export function stopSignal(): Promise<undefined> {
  return new Promise((done) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => done(undefined))
  })
}
