import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { exists } from '../../scripts/distribution.ts'
import { MissingTool, requireTool } from '../../scripts/tools/missing-tool.ts'

const run = promisify(execFile)

const CACHE = fileURLToPath(new URL('../../.cache/clickhouse', import.meta.url))
const INSTALL_WITHIN_MS = 900_000

/** ClickHouse as a Python module. Pinned, so that results are comparable. */
const PACKAGES = ['chdb==4.4.0', 'chdb-core==26.9.0'] as const
const FOLDER = 'import sys; print(f"{sys.implementation.cache_tag}-{sys.platform}")'

/** How to run it: `python3` with a folder of modules. */
export interface ClickhouseModules {
  readonly python: string
  readonly modules: string
}

/**
 * Installs ClickHouse from PyPI once, without the packages for data frames, which text answers do not need. Installs
 * under a temporary name and renames it, so that the folder is always complete.
 */
export async function ensureClickhouse(say: (line: string) => void = () => undefined): Promise<ClickhouseModules> {
  const python = await requireTool('python3', 'to run ClickHouse', 'apt install python3 python3-pip')
  const tag = (await run(python, ['-c', FOLDER])).stdout.trim()
  const modules = join(CACHE, `${tag}-${PACKAGES.map((one) => one.split('==')[1]).join('-')}`)
  if (await exists(modules)) return { python, modules }
  await mkdir(CACHE, { recursive: true })
  const work = await mkdtemp(join(CACHE, 'part-'))
  try {
    say(`Downloading ${PACKAGES.join(', ')} from PyPI (once, 180 MB)...`)
    const options = ['--quiet', '--disable-pip-version-check', '--no-deps', '--only-binary', ':all:']
    const target = join(work, 'modules')
    await run(python, ['-m', 'pip', 'install', ...options, '--target', target, ...PACKAGES], {
      timeout: INSTALL_WITHIN_MS,
    })
    // A wheel may be there that this machine cannot load.
    await run(python, ['-c', 'import chdb'], { env: { ...process.env, PYTHONPATH: target } })
    await rename(target, modules).catch((error: NodeJS.ErrnoException) => {
      // Another process was faster.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    })
  } catch (error) {
    throw new MissingTool(`ClickHouse (chdb) could not be installed from PyPI: ${String(error).slice(-1000)}`)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
  return { python, modules }
}
