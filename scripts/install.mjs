import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { installProgress } from './install-progress.mjs'
import { pinnedNode, root } from './pinned-node.mjs'

// Plain JavaScript for Node 20: a fresh clone runs it before anything is installed.

const lockFile = path.join(root, 'package-lock.json')
const installedLockFile = path.join(root, 'node_modules', '.package-lock.json')
const stampFile = path.join(root, 'node_modules', '.periplus-install')

/** What the server and its page need; and that with the development tools. */
const SERVER = 'server'
const ALL = 'all'

const hashOf = (text) => createHash('sha256').update(text).digest('hex')

/**
 * True if node_modules contains exactly the packages of the lock file, with equal versions and digests. Both texts are
 * lock files: npm writes one to node_modules. For the server, development packages may be missing.
 */
export function matchesLock(lockText, installedText, kind = ALL) {
  const wanted = JSON.parse(lockText).packages ?? {}
  const installed = JSON.parse(installedText).packages ?? {}
  const isIn = (location, present) => {
    const entry = wanted[location]
    if (entry === undefined || present.version !== entry.version) return false
    return entry.integrity === undefined || present.integrity === entry.integrity
  }
  if (!Object.entries(installed).every(([location, present]) => isIn(location, present))) return false
  return neededOf(wanted, kind).every((location) => installed[location] !== undefined)
}

/** Locations of the packages that must be there. npm skips optional packages of other platforms. */
function neededOf(packages, kind) {
  return Object.entries(packages).flatMap(([location, { optional, dev, devOptional }]) => {
    const isLeftOut = location === '' || optional || devOptional || (dev && kind === SERVER)
    return isLeftOut ? [] : [location]
  })
}

const isInstalled = (lockText, kind) =>
  existsSync(pinnedNode) &&
  existsSync(installedLockFile) &&
  matchesLock(lockText, readFileSync(installedLockFile, 'utf8'), kind)

/** Scripts are enabled, because one package downloads the pinned Node. */
const QUIETLY = ['--no-audit', '--no-fund', '--no-progress', '--loglevel=error', '--ignore-scripts=false']

/**
 * Arguments of npm: install exactly the packages of the lock file, verified by digest. Development tools are added to
 * what is there, because "ci" would remove the packages of a running server first.
 */
function installArguments(kind, lockText) {
  if (kind === SERVER) return ['ci', '--omit=dev', '--include=optional', ...QUIETLY]
  const begin = isInstalled(lockText, SERVER) ? ['install', '--no-save'] : ['ci']
  return [...begin, '--include=dev', '--include=optional', ...QUIETLY]
}

/** The npm that started this process, or the one in PATH. */
function npmCommand(args) {
  const npm = process.env.npm_execpath
  const [command, all] = npm === undefined ? ['npm', args] : [process.execPath, [npm, ...args]]
  return { command, all, shell: npm === undefined && process.platform === 'win32' }
}

/** Runs npm in the root of the project. */
export function runNpm(args, stdio) {
  const { command, all, shell } = npmCommand(args)
  return spawnSync(command, all, { cwd: root, stdio, shell, encoding: 'utf8' })
}

function startNpm(args) {
  const { command, all, shell } = npmCommand(args)
  return new Promise((resolve, reject) => {
    const child = spawn(command, all, { cwd: root, stdio: ['ignore', 'ignore', 2], shell })
    child.once('error', reject)
    child.once('exit', (code) => resolve(code))
  })
}

/**
 * Installs the dependencies if they are missing or the lock file has changed: those of the server, or with the
 * development tools, which are never removed again.
 */
export async function ensureInstalled(kind) {
  const lockText = readFileSync(lockFile, 'utf8')
  const hash = hashOf(lockText)
  const stamps = existsSync(pinnedNode) && existsSync(stampFile) ? readFileSync(stampFile, 'utf8').trim() : ''
  if (stamps === `${hash} ${ALL}` || stamps === `${hash} ${kind}`) return
  if (!isInstalled(lockText, kind)) await install(kind, lockText)
  writeFileSync(stampFile, `${hash} ${isInstalled(lockText, ALL) ? ALL : kind}\n`)
}

async function install(kind, lockText) {
  const needed = neededOf(JSON.parse(lockText).packages, kind).map((location) => path.join(root, location))
  const what = kind === SERVER ? 'the packages of the server' : 'the packages of the server and the development tools'
  const progress = installProgress(`Installing ${what}`, needed, pinnedNode)
  const code = await startNpm(installArguments(kind, lockText))
  progress.end(code === 0)
  if (code !== 0) {
    console.error('The dependencies could not be installed: see the messages above, then try again, or run "npm ci".')
    process.exit(1)
  }
  if (!existsSync(pinnedNode)) {
    console.error('Node 24, a dependency, is missing after the installation: run "npm ci" and check its output.')
    process.exit(1)
  }
}
