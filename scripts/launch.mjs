import { spawn } from 'node:child_process'
import path from 'node:path'
import { pinnedNode, root } from './install.mjs'

/** Compiled sources are kept, so that the next start takes half the time. */
const compileCache = path.join(root, 'node_modules', '.cache', 'compiled')

/**
 * Queries wait on this pool's threads, and so does compression: with Node's four, a few slow ones would hold up all.
 * 8 quick and 8 slow reads (engine.concurrency), the writer, the probe of the health checks, 6 for files and compression.
 */
const WAITING_THREADS = '24'

/**
 * Documents on their way are garbage at once: a larger nursery spares copying them (a tenth of a load's time). What gets
 * past it is collected when the heap has doubled, sooner than Node would: while 1.5 million documents were tagged it took
 * 140 to 160 MiB instead of 180 to 350, and as long.
 */
const NODE_FLAGS = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=32', '--heap-growing-percent=100']

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Runs the pinned Node with these arguments; resolves to its exit code. Signals reach it, and when one ends it this
 * process ends by the same one.
 */
export function launch(args, { cwd = process.cwd(), env = process.env } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(pinnedNode, [...NODE_FLAGS, ...args], {
      cwd,
      env: { NODE_COMPILE_CACHE: compileCache, UV_THREADPOOL_SIZE: WAITING_THREADS, ...env },
      stdio: 'inherit',
      shell: process.platform === 'win32',
    })
    const forward = (signal) => child.kill(signal)
    for (const signal of FORWARDED) process.on(signal, forward)
    watchParent(() => child.kill('SIGTERM'))
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      for (const name of FORWARDED) process.off(name, forward)
      if (signal !== null) process.kill(process.pid, signal)
      resolve(code ?? 1)
    })
  })
}

/**
 * npm starts scripts through a shell, and a signal to npm ends that shell without reaching what it runs. Losing the
 * parent is then the only sign that everything was to stop.
 */
function watchParent(onLost) {
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    onLost()
  }, 500)
  timer.unref()
}

/** Runs a tool of node_modules by its script, from the project's root. */
export const launchTool = (script, args, env) =>
  launch([script, ...args], { cwd: root, env: { ...process.env, ...env } })
