import { spawn } from 'node:child_process'

// Plain JavaScript: the package contains this file too, beside its command.

/**
 * Size of the thread pool for queries and compression. With Node's default of four, a few slow queries would block all.
 * 8 quick and 8 slow reads (engine.concurrency), the writer, the probe of the health checks, 6 for files and
 * compression.
 */
const WAITING_THREADS = '24'

/**
 * Loaded documents become garbage quickly: a larger young generation avoids copying them (a tenth of the time of a
 * load). The old generation is collected when the heap has doubled, earlier than by default: tagging 1.5 million
 * documents took 140 to 160 MiB instead of 180 to 350, in the same time.
 */
const NODE_FLAGS = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=32', '--heap-growing-percent=100']

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Runs `node` with the flags and the environment of the server; resolves to its exit code. Forwards signals, and if one
 * ends the child, this process ends with the same signal. `compileCache` is a folder that halves the time of the next
 * start.
 */
export function launch(node, args, { cwd = process.cwd(), env = process.env, compileCache } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(node, [...NODE_FLAGS, ...args], {
      cwd,
      env: { NODE_COMPILE_CACHE: compileCache, UV_THREADPOOL_SIZE: WAITING_THREADS, ...env },
      stdio: 'inherit',
      shell: node.endsWith('.cmd'),
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
 * npm starts scripts through a shell, and a signal to npm ends that shell without reaching its children. Losing the
 * parent is then the only sign to stop.
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
