import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { MissingTool } from './missing-tool.ts'
import { ensureUnpacked } from './unpacked-packages.ts'

interface Rsyslog {
  readonly program: string
  readonly modules: string
  /** Directory of the libraries it needs. */
  readonly libraries: string
}

/** Returns the log shipper rsyslog. */
export async function ensureRsyslog(say: (line: string) => void): Promise<Rsyslog> {
  const packages = ['rsyslog', 'rsyslog-elasticsearch', 'libestr0', 'libfastjson4', 'liblognorm5']
  const home = await ensureUnpacked({ cache: 'rsyslog', packages, label: 'rsyslog (once, 1 MB)', say })
  const [modules] = globSync(join(home, 'usr/lib/*/rsyslog'))
  if (modules === undefined) throw new MissingTool(`${home} has no modules of rsyslog; remove it and try again`)
  return { program: join(home, 'usr/sbin/rsyslogd'), modules, libraries: dirname(modules) }
}
