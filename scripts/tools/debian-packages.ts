import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { findTool } from './missing-tool.ts'

const run = promisify(execFile)

const INSTALL_WITHIN_MS = 600_000
/** Held while packages are installed: several suites need some at the same time, and a second installation would fail. */
const LOCK = '/tmp/periplus-packages.lock'
const INSTALL = 'apt-get update -qq && apt-get install -y -qq --no-install-recommends "$@"'

/** True on Debian and the like, with sufficient rights. */
export async function canInstallPackages(): Promise<boolean> {
  return process.getuid?.() === 0 && (await findTool('apt-get')) !== undefined
}

/** Installs Debian packages, one caller after the other. */
export async function installPackages(packages: readonly string[]): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await run('flock', [LOCK, 'sh', '-c', INSTALL, 'sh', ...packages], { timeout: INSTALL_WITHIN_MS, env })
}
