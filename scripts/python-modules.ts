import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { exists } from './distribution.ts'
import { requireTool } from './missing-tool.ts'

const run = promisify(execFile)

/** Modules that the programs of the guides use. */
const PACKAGES = ['elasticsearch==8.19.0', 'pandas==2.3.3']
const CACHE = fileURLToPath(new URL('../.cache/python-modules', import.meta.url))
/** Compiled modules depend on the version of Python. */
const FOLDER = 'import sys; print(f"{sys.implementation.cache_tag}-{sys.platform}")'

/** Returns a folder with the modules; installs them from PyPI once. */
export async function ensurePythonModules(): Promise<string> {
  const python = await requireTool('python3', 'to run the programs of the guides', 'apt install python3 python3-pip')
  const tag = (await run(python, ['-c', FOLDER])).stdout.trim()
  const modules = join(CACHE, `${tag}-${PACKAGES.join('-').replaceAll('==', '-')}`)
  if (await exists(modules)) return modules
  await mkdir(CACHE, { recursive: true })
  const work = await mkdtemp(join(CACHE, 'part-'))
  try {
    const options = [
      '-m',
      'pip',
      'install',
      '--quiet',
      '--no-compile',
      '--disable-pip-version-check',
      '--target',
      join(work, 'all'),
    ]
    await run(python, [...options, ...PACKAGES])
    await rename(join(work, 'all'), modules)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
  return modules
}
