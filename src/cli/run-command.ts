import { inspect } from 'node:util'
import { type Command, CommanderError } from 'commander'
import { hideCredentials } from '../config/hidden-secret.ts'
import { SettingsFault } from '../config/setting-value.ts'
import { Problem } from '../errors.ts'
import { InputFault } from '../ingest/source/input-fault.ts'
import { buildProgram } from './command/program.ts'
import { CliFault, exitCodes } from './terminal/cli-fault.ts'

/** Runs a command line and sets the exit code of the process. */
export async function runCommand(argv: readonly string[]): Promise<void> {
  const program = buildProgram()
  throwInsteadOfExit(program)
  try {
    await program.parseAsync(argv)
  } catch (error) {
    process.exitCode = report(error)
  }
}

/** Existing sub-commands do not inherit this setting, so it is set on each. */
function throwInsteadOfExit(command: Command): void {
  command.exitOverride()
  for (const inner of command.commands) throwInsteadOfExit(inner)
}

/** Prints expected errors as one sentence, unexpected ones with a stack trace. */
function report(error: unknown): number {
  // also thrown for help and version; the parser has printed its message
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
  if (error instanceof CliFault) {
    console.error(hideCredentials(error.message))
    return error.exitCode
  }
  if (error instanceof InputFault || error instanceof SettingsFault || error instanceof Problem) {
    console.error(hideCredentials(error.message))
    return error instanceof SettingsFault ? exitCodes.usage : exitCodes.failed
  }
  console.error(hideCredentials(inspect(error)))
  return exitCodes.failed
}
