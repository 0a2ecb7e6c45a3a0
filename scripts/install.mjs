import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

// Plain JavaScript that runs on Node 20: it is what a fresh clone starts with, before anything is installed.

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

const lockFile = path.join(root, 'package-lock.json')
const installedLockFile = path.join(root, 'node_modules', '.package-lock.json')
const stampFile = path.join(root, 'node_modules', '.periplus-install')

/** The pinned Node the sources run on; the Node that runs this file only has to be 20 or newer. */
export const pinnedNode = path.join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')

const hashOf = (text) => createHash('sha256').update(text).digest('hex')

/**
 * True when node_modules holds the packages of the lock file, in their versions and with their digests, and no others,
 * whoever put them there. Both texts are lock files: npm leaves one in node_modules.
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
  // npm leaves out optional packages made for another platform
  return Object.entries(wanted).every(([location, { optional }]) => {
    return location === '' || optional === true || installed[location] !== undefined
  })
}

const isInstalled = (lockText) =>
  existsSync(installedLockFile) && matchesLock(lockText, readFileSync(installedLockFile, 'utf8'))

/**
 * npm itself, by the npm that runs this or the one on the path: the exact packages of the lock file, checked by their
 * digests, and nothing else ("ci"). One package must run its script: it fetches the pinned Node.
 */
const INSTALL = ['ci', '--no-audit', '--no-fund', '--loglevel=error', '--include=dev', '--ignore-scripts=false']

/** Runs npm with these arguments in the root of the project. */
export function runNpm(args, stdio) {
  const npm = process.env.npm_execpath
  const [command, all] = npm === undefined ? ['npm', args] : [process.execPath, [npm, ...args]]
  const shell = npm === undefined && process.platform === 'win32'
  return spawnSync(command, all, { cwd: root, stdio, shell, encoding: 'utf8' })
}

/** Installs the dependencies when they are missing or the lock file has changed since; otherwise does nothing. */
export function ensureInstalled() {
  const lockText = readFileSync(lockFile, 'utf8')
  const hash = hashOf(lockText)
  const ready = existsSync(pinnedNode)
  if (ready && existsSync(stampFile) && readFileSync(stampFile, 'utf8').trim() === hash) return
  if (!ready || !isInstalled(lockText)) {
    console.error('Installing dependencies (once, about a minute)...')
    const done = runNpm(INSTALL, ['ignore', 2, 2])
    if (done.status !== 0) {
      console.error('The dependencies could not be installed: see the lines above; then try again, or run "npm ci".')
      process.exit(1)
    }
    if (!existsSync(pinnedNode)) {
      console.error(
        'The Node 24 of the dependencies is missing after the installation: run "npm ci" and read its output.',
      )
      process.exit(1)
    }
  }
  writeFileSync(stampFile, `${hash}\n`)
}
