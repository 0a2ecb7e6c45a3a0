import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { exists } from './distribution.ts'
import { MissingTool, requireTool } from './missing-tool.ts'

const run = promisify(execFile)

const CACHE = fileURLToPath(new URL('../.cache/api-checkers', import.meta.url))
const INSTALL_WITHIN_MS = 600_000

/** Programs that check a running server against its OpenAPI document. Pinned, so that a seed is reproducible. */
const PACKAGES = ['schemathesis==4.32.5', 'hypothesis==6.170.15', 'openapi-spec-validator==0.9.0'] as const
/** Compiled modules depend on the version of Python. */
const FOLDER = 'import sys; print(f"{sys.implementation.cache_tag}-{sys.platform}")'

/** How to run the programs: `python3` with a folder of modules. */
export interface ApiCheckers {
  readonly python: string
  readonly modules: string
}

/**
 * Installs the programs from PyPI once. Installs under a temporary name and renames it, so that the folder is always
 * complete.
 */
export async function ensureApiCheckers(say: (line: string) => void = () => undefined): Promise<ApiCheckers> {
  const python = await requireTool('python3', 'to run schemathesis', 'apt install python3 python3-pip')
  const modules = join(CACHE, `${(await run(python, ['-c', FOLDER])).stdout.trim()}-${PACKAGES[0].split('==')[1]}`)
  if (await exists(modules)) return { python, modules }
  await mkdir(CACHE, { recursive: true })
  const work = await mkdtemp(join(CACHE, 'part-'))
  try {
    say(`Downloading ${PACKAGES.join(', ')} from PyPI (once, 40 MB)...`)
    const options = [
      '-m',
      'pip',
      'install',
      '--quiet',
      '--disable-pip-version-check',
      '--target',
      join(work, 'modules'),
    ]
    await run(python, [...options, ...PACKAGES], { timeout: INSTALL_WITHIN_MS })
    await rename(join(work, 'modules'), modules).catch((error: NodeJS.ErrnoException) => {
      // Another process was faster.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    })
  } catch (error) {
    throw new MissingTool(`schemathesis could not be installed from PyPI: ${String(error).slice(-1000)}`)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
  return { python, modules }
}
