import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { ensureInteropClients, ensureStacSchemas } from '../../scripts/tools/interop-clients.ts'
import { MissingTool } from '../../scripts/tools/missing-tool.ts'
import type { PythonModules } from '../../scripts/tools/python-modules.ts'
import { isChecking } from '../support/checking.ts'

const run = promisify(execFile)

/** Undefined if a package cannot be installed: suites that need it are skipped. */
const unlessMissing = (error: unknown): undefined => {
  if (!(error instanceof MissingTool) || isChecking()) throw error
  console.error(`\n*** TESTS WITH CLIENTS OF OGC API AND STAC ARE SKIPPED: ${error.message} ***\n`)
  return undefined
}
const say = (line: string): void => console.error(line)

/** Python with the clients. */
export const clients: PythonModules | undefined = await ensureInteropClients(say).catch(unlessMissing)

/** Folder of the JSON Schemas of STAC. */
export const readStacSchemas = (): Promise<string> => ensureStacSchemas(say)

const MOST_OUTPUT = 256 * 1024 * 1024

/** Runs a Python program with the clients. It reads `input` as JSON from stdin and prints one JSON value. */
export async function runPython(program: string, input: unknown): Promise<unknown> {
  if (clients === undefined) throw new Error('the clients are not installed')
  const running = run(clients.python, ['-c', program], {
    env: { ...process.env, PYTHONPATH: clients.modules },
    maxBuffer: MOST_OUTPUT,
  })
  running.child.stdin?.end(JSON.stringify(input))
  const { stdout } = await running
  return JSON.parse(stdout)
}
