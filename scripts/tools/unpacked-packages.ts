import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { exists } from '../distribution.ts'
import { downloadPackages } from './debian-packages.ts'
import { requireTool } from './missing-tool.ts'

const run = promisify(execFile)

interface UnpackedPackages {
  /** Folder below `.cache`. */
  readonly cache: string
  readonly packages: readonly string[]
  /** For messages: `rsyslog (once, 1 MB)`. */
  readonly label: string
  readonly say?: (line: string) => void
}

/** Returns a directory with the files of Debian packages, which are not installed: programs that replace the system's. */
export async function ensureUnpacked({ cache, packages, label, say }: UnpackedPackages): Promise<string> {
  const parent = fileURLToPath(new URL(`../../.cache/${cache}`, import.meta.url))
  const home = join(parent, 'root')
  if (await exists(home)) return home
  const remedy = 'the tests take it from packages of Debian'
  const unpack = await requireTool('dpkg-deb', `to unpack ${cache}`, remedy)
  await requireTool('apt-get', `to download ${cache}`, remedy)
  say?.(`Downloading ${label}...`)
  await mkdir(parent, { recursive: true })
  const work = await mkdtemp(join(parent, 'part-'))
  try {
    await downloadPackages(packages, work)
    for (const file of globSync(join(work, '*.deb'))) await run(unpack, ['-x', file, join(work, 'root')])
    await rename(join(work, 'root'), home)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
  return home
}
