import { join } from 'node:path'
import { ensureUnpacked } from './unpacked-packages.ts'

/** Returns the program that checks files of Prometheus. */
export async function ensurePromtool(say: (line: string) => void): Promise<string> {
  const home = await ensureUnpacked({
    cache: 'prometheus',
    packages: ['prometheus'],
    label: 'Prometheus (once, 20 MB)',
    say,
  })
  return join(home, 'usr/bin/promtool')
}
