import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { exists } from '../distribution.ts'
import { downloadPackages } from './debian-packages.ts'
import { MissingTool, requireTool } from './missing-tool.ts'

const run = promisify(execFile)

const CACHE = fileURLToPath(new URL('../../.cache/rsyslog', import.meta.url))
const PACKAGES = ['rsyslog', 'rsyslog-elasticsearch', 'libestr0', 'libfastjson4', 'liblognorm5']

export interface Rsyslog {
  readonly program: string
  readonly modules: string
  /** Directory of the libraries it needs. */
  readonly libraries: string
}

/** Returns the log shipper rsyslog, unpacked from Debian packages. It is not installed: it would replace the system's. */
export async function ensureRsyslog(say: (line: string) => void = () => undefined): Promise<Rsyslog> {
  const home = join(CACHE, 'root')
  if (!(await exists(home))) await unpackInto(home, say)
  const [modules] = globSync(join(home, 'usr/lib/*/rsyslog'))
  if (modules === undefined) throw new MissingTool(`${home} has no modules of rsyslog; remove it and try again`)
  return { program: join(home, 'usr/sbin/rsyslogd'), modules, libraries: dirname(modules) }
}

async function unpackInto(home: string, say: (line: string) => void): Promise<void> {
  const remedy = 'it is taken from packages of Debian'
  const unpack = await requireTool('dpkg-deb', 'to unpack rsyslog', remedy)
  await requireTool('apt-get', 'to download rsyslog', remedy)
  say('Downloading rsyslog (once, 1 MB)...')
  await mkdir(CACHE, { recursive: true })
  const work = await mkdtemp(join(CACHE, 'part-'))
  try {
    await downloadPackages(PACKAGES, work)
    for (const file of globSync(join(work, '*.deb'))) await run(unpack, ['-x', file, join(work, 'root')])
    await rename(join(work, 'root'), home)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}
