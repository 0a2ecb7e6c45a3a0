import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { exists } from '../distribution.ts'
import { npmCommand } from '../package/make-package.ts'

const run = promisify(execFile)

interface Wanted {
  /** Folder below `.cache`. */
  readonly cache: string
  /** Packages with exact versions: `name@1.2.3`. */
  readonly packages: readonly string[]
}

/**
 * Returns a folder `node_modules` with packages that cannot be installed beside those of this project, or that only
 * programs of users need. Installs them from npm once.
 */
export async function ensureNpmPackages({ cache, packages }: Wanted): Promise<string> {
  const root = fileURLToPath(new URL(`../../.cache/${cache}`, import.meta.url))
  const home = join(root, packages.map((name) => name.slice(name.lastIndexOf('@') + 1)).join('-'))
  const modules = join(home, 'node_modules')
  if (await exists(modules)) return modules
  await mkdir(root, { recursive: true })
  const work = await mkdtemp(join(root, 'part-'))
  try {
    const [command, ...begin] = npmCommand()
    const options = ['--prefix', work, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    await run(command, [...begin, 'install', ...options, ...packages])
    await rename(work, home).catch((error: NodeJS.ErrnoException) => {
      // another process was faster
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(work, { recursive: true, force: true })
  }
  return modules
}
