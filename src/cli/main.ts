import { inspect } from 'node:util'
import { type Command, CommanderError } from 'commander'
import { hideCredentials } from '../config/hidden-secret.ts'
import { SettingsFault } from '../config/setting-value.ts'
import { Problem } from '../errors.ts'
import { InputFault } from '../ingest/open-input.ts'
import { keepFilesPrivate } from '../storage/private-files.ts'
import { buildProgram } from './command/program.ts'
import { CliFault, exitCodes } from './terminal/cli-fault.ts'
import { letOutputBeClosed } from './terminal/closed-output.ts'

letOutputBeClosed([process.stdout, process.stderr])
keepFilesPrivate()
await run(process.argv)

async function run(argv: readonly string[]): Promise<void> {
  const program = buildProgram()
  throwInsteadOfExit(program)
  try {
    await program.parseAsync(argv)
  } catch (error) {
    process.exitCode = report(error)
  }
}

/** Commands inherit nothing once they are made, so each is told. */
function throwInsteadOfExit(command: Command): void {
  command.exitOverride()
  for (const inner of command.commands) throwInsteadOfExit(inner)
}

/** Faults that were foreseen are one sentence; others are faults of ours and show where they happened. */
function report(error: unknown): number {
  // help and version end this way too; the parser has printed what there is to say
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
