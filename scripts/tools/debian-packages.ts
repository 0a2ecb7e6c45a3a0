import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { findTool, MissingTool } from './missing-tool.ts'

const run = promisify(execFile)

const INSTALL_WITHIN_MS = 600_000
/** Held while packages are installed: several suites need some at the same time, and a second installation would fail. */
const LOCK = '/tmp/periplus-packages.lock'
const DOWNLOAD = '(apt-get download -qq "$@" || { apt-get update -qq && apt-get download -qq "$@"; }) 2>&1'
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

/** Downloads Debian packages into a directory without installing them. */
export async function downloadPackages(packages: readonly string[], directory: string): Promise<void> {
  const options = { timeout: INSTALL_WITHIN_MS, cwd: directory }
  await run('flock', [LOCK, 'sh', '-c', DOWNLOAD, 'sh', ...packages], options).catch((error: unknown) => {
    throw new MissingTool(`${packages.join(', ')} could not be downloaded: ${String(error).slice(-1000)}`)
  })
}
