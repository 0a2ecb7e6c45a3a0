import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { exists } from '../distribution.ts'
import { MissingTool, requireTool } from './missing-tool.ts'

const run = promisify(execFile)

const INSTALL_WITHIN_MS = 600_000

/** Compiled modules depend on the version of Python. */
const FOLDER = 'import sys; print(f"{sys.implementation.cache_tag}-{sys.platform}")'

/** How to run Python programs: `python3` with a folder of modules. */
export interface PythonModules {
  readonly python: string
  readonly modules: string
}

interface Wanted {
  /** Folder below `.cache`. */
  readonly cache: string
  /** Requirements with exact versions. The first names the folder. */
  readonly packages: readonly [string, ...string[]]
  /** What they are for: `to run schemathesis`. */
  readonly purpose: string
  readonly say?: (line: string) => void
}

/**
 * Installs packages from PyPI once. Installs under a temporary name and renames it, so that the folder is always
 * complete.
 */
export async function ensurePythonModules({ cache, packages, purpose, say }: Wanted): Promise<PythonModules> {
  const python = await requireTool('python3', purpose, 'apt install python3 python3-pip')
  const root = fileURLToPath(new URL(`../../.cache/${cache}`, import.meta.url))
  const versions = packages.map((name) => name.split('==')[1]).join('-')
  const modules = join(root, `${(await run(python, ['-c', FOLDER])).stdout.trim()}-${versions}`)
  if (await exists(modules)) return { python, modules }
  await mkdir(root, { recursive: true })
  const work = await mkdtemp(join(root, 'part-'))
  try {
    say?.(`Downloading ${packages.join(', ')} from PyPI (once)...`)
    const options = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--target']
    await run(python, [...options, join(work, 'modules'), ...packages], { timeout: INSTALL_WITHIN_MS })
    await rename(join(work, 'modules'), modules).catch((error: NodeJS.ErrnoException) => {
      // Another process was faster.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    })
  } catch (error) {
    throw new MissingTool(`${packages.join(', ')} could not be installed from PyPI: ${String(error).slice(-1000)}`)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
  return { python, modules }
}
