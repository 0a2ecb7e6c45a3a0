import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** This machine lacks a program; the message says which, what for, and what to install. */
export class MissingTool extends Error {
  override readonly name = 'MissingTool'
}

/** Where the program is; `remedy` tells how to get it. */
export async function requireTool(program: string, purpose: string, remedy: string): Promise<string> {
  const found = await findTool(program)
  if (found === undefined) throw new MissingTool(`${program} is missing, which ${purpose}: ${remedy}`)
  return found
}

export function findTool(program: string): Promise<string | undefined> {
  return run('sh', ['-c', 'command -v -- "$1"', 'sh', program]).then(
    ({ stdout }) => stdout.trim(),
    // a shell without a finding ends with a status other than 0
    () => undefined,
  )
}
