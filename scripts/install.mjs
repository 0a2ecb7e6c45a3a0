import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

// Plain JavaScript for Node 20: a fresh clone runs it before anything is installed.

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

const lockFile = path.join(root, 'package-lock.json')
const installedLockFile = path.join(root, 'node_modules', '.package-lock.json')
const stampFile = path.join(root, 'node_modules', '.periplus-install')

/** The pinned Node that runs the sources; the Node that runs this file only has to be 20 or newer. */
export const pinnedNode = path.join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')

const hashOf = (text) => createHash('sha256').update(text).digest('hex')

/**
 * True if node_modules contains exactly the packages of the lock file, with equal versions and digests. Both texts are
 * lock files: npm writes one to node_modules.
 */
export function matchesLock(lockText, installedText) {
  const wanted = JSON.parse(lockText).packages ?? {}
  const installed = JSON.parse(installedText).packages ?? {}
  const isIn = (location, present) => {
    const entry = wanted[location]
    if (entry === undefined || present.version !== entry.version) return false
    return entry.integrity === undefined || present.integrity === entry.integrity
  }
  if (!Object.entries(installed).every(([location, present]) => isIn(location, present))) return false
  // npm skips optional packages of other platforms
  return Object.entries(wanted).every(([location, { optional }]) => {
    return location === '' || optional === true || installed[location] !== undefined
  })
}

const isInstalled = (lockText) =>
  existsSync(installedLockFile) && matchesLock(lockText, readFileSync(installedLockFile, 'utf8'))

/**
 * Arguments of npm: install exactly the packages of the lock file, verified by digest ("ci"). Scripts are enabled,
 * because one package downloads the pinned Node.
 */
const INSTALL = ['ci', '--no-audit', '--no-fund', '--loglevel=error', '--include=dev', '--ignore-scripts=false']

/** Runs npm in the root of the project, with the npm that started this process or the one in PATH. */
export function runNpm(args, stdio) {
  const npm = process.env.npm_execpath
  const [command, all] = npm === undefined ? ['npm', args] : [process.execPath, [npm, ...args]]
  const shell = npm === undefined && process.platform === 'win32'
  return spawnSync(command, all, { cwd: root, stdio, shell, encoding: 'utf8' })
}

/** Installs the dependencies if they are missing or the lock file has changed. */
export function ensureInstalled() {
  const lockText = readFileSync(lockFile, 'utf8')
  const hash = hashOf(lockText)
  const ready = existsSync(pinnedNode)
  if (ready && existsSync(stampFile) && readFileSync(stampFile, 'utf8').trim() === hash) return
  if (!ready || !isInstalled(lockText)) {
    console.error('Installing dependencies (once, about a minute)...')
    const done = runNpm(INSTALL, ['ignore', 2, 2])
    if (done.status !== 0) {
      console.error('The dependencies could not be installed: see the messages above, then try again, or run "npm ci".')
      process.exit(1)
    }
    if (!existsSync(pinnedNode)) {
      console.error('Node 24, a dependency, is missing after the installation: run "npm ci" and check its output.')
      process.exit(1)
    }
  }
  writeFileSync(stampFile, `${hash}\n`)
}
