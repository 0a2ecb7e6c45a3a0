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

/** True when every package of the lock file stands in node_modules in that version, whoever put it there. */
function matchesLock(lockText) {
  if (!existsSync(installedLockFile)) return false
  const installed = JSON.parse(readFileSync(installedLockFile, 'utf8')).packages ?? {}
  return Object.entries(JSON.parse(lockText).packages ?? {}).every(([location, wanted]) => {
    if (location === '') return true
    const present = installed[location]
    // npm leaves out optional packages made for another platform
    return present === undefined ? wanted.optional === true : present.version === wanted.version
  })
}

/** Installs the dependencies when they are missing or the lock file has changed since; otherwise does nothing. */
export function ensureInstalled() {
  const lockText = readFileSync(lockFile, 'utf8')
  const hash = hashOf(lockText)
  const ready = existsSync(pinnedNode)
  if (ready && existsSync(stampFile) && readFileSync(stampFile, 'utf8').trim() === hash) return
  if (!ready || !matchesLock(lockText)) {
    console.error('Installing dependencies (once, about a minute)...')
    const npm = process.env.npm_execpath
    // not "npm ci": it refuses a lock file that lacks the optional packages of other platforms
    const options = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error', '--include=dev']
    options.push('--ignore-scripts=false')
    const [command, args] = npm === undefined ? ['npm', options] : [process.execPath, [npm, ...options]]
    const done = spawnSync(command, args, {
      cwd: root,
      stdio: ['ignore', 2, 2],
      shell: npm === undefined && process.platform === 'win32',
    })
    if (done.status !== 0) {
      console.error(
        'The dependencies could not be installed: see the lines above; then try again, or run "npm install".',
      )
      process.exit(1)
    }
    if (!existsSync(pinnedNode)) {
      console.error(
        'The Node 24 of the dependencies is missing after the installation: run "npm install" and read its output.',
      )
      process.exit(1)
    }
  }
  writeFileSync(stampFile, `${hash}\n`)
}
