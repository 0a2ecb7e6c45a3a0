import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A required program is missing; the message names it, its purpose, and what to install. */
export class MissingTool extends Error {
  override readonly name = 'MissingTool'
}

/** Returns the path of the program; `remedy` says how to install it. */
export async function requireTool(program: string, purpose: string, remedy: string): Promise<string> {
  const found = await findTool(program)
  if (found === undefined) throw new MissingTool(`${program} is required ${purpose}, but is not installed: ${remedy}`)
  return found
}

export function findTool(program: string): Promise<string | undefined> {
  return run('sh', ['-c', 'command -v -- "$1"', 'sh', program]).then(
    ({ stdout }) => stdout.trim(),
    // the shell exits with a status other than 0 if it is not found
    () => undefined,
  )
}
