import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { exists } from './distribution.ts'
import { npmCommand } from './package/make-package.ts'

const run = promisify(execFile)

/** The generator needs the API of TypeScript 5, which cannot be installed beside the compiler of this project. */
const PACKAGES = ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', 'typescript@5.9.3']

const CACHE = fileURLToPath(new URL('../.cache/client-generator', import.meta.url))

/** Returns the folder `node_modules` with openapi-typescript and openapi-fetch; installs them from npm once. */
export async function ensureClientGenerator(): Promise<string> {
  const home = join(CACHE, PACKAGES.map((name) => name.split('@')[1]).join('-'))
  const modules = join(home, 'node_modules')
  if (await exists(modules)) return modules
  await mkdir(CACHE, { recursive: true })
  const work = await mkdtemp(join(CACHE, 'part-'))
  try {
    const [command, ...begin] = npmCommand()
    const options = ['--prefix', work, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    await run(command, [...begin, 'install', ...options, ...PACKAGES])
    await rename(work, home)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
  return modules
}
