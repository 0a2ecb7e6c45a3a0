import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import path from 'node:path'
import { launchTool, root } from './pinned-node.mjs'

/** Checks types, lint and import directions; true if all pass. */
export async function check() {
  const types = await launchTool('node_modules/typescript/bin/tsc', [])
  const page = await launchTool('node_modules/typescript/bin/tsc', ['-p', 'web'])
  const lint = await launchTool('node_modules/@biomejs/biome/bin/biome', ['check', '--error-on-warnings'])
  const imports = await launchTool('node_modules/dependency-cruiser/bin/dependency-cruiser.mjs', [
    ...['--config', '.dependency-cruiser.mjs'],
    'src',
  ])
  return [types, page, lint, imports].every((status) => status === 0)
}

/**
 * Runs the checks in a process of their own, because their output would mix with that of the tests. Resolves to their
 * result and output.
 */
function checkBeside() {
  const child = spawn(process.execPath, [path.join(root, 'scripts', 'run.mjs'), '--check'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const end = () => child.kill()
  process.once('exit', end)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8')
    stream.on('data', (text) => {
      output += text
    })
  }
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ clean: false, output: `${error}\n` }))
    child.once('close', (code) => {
      process.off('exit', end)
      resolve({ clean: code === 0, output })
    })
  })
}

/** Option that selects the tests that need no Java and no browser, without the slowest files. */
const QUICK = '--quick'

/**
 * Runs all checks: the tests, and types, lint and imports beside them. Prints what the latter found after the tests. The
 * last line is `N passed, N failed[, N skipped]`; if types, lint or imports fail, that counts as one failure.
 */
export async function test(args) {
  const directory = mkdtempSync(path.join(temporaryPlace(), 'periplus-test-'))
  // cluster nodes keep data in it and run as another user than root
  chmodSync(directory, 0o755)
  const countsFile = path.join(directory, 'counts.json')
  try {
    const checking = args.length > 0 ? { clean: true, output: '' } : checkBeside()
    const status = await launchTool('node_modules/vitest/vitest.mjs', ['run', ...args.filter((arg) => arg !== QUICK)], {
      TEST_COUNTS_FILE: countsFile,
      TMPDIR: directory,
      TEST_QUICK: String(args.includes(QUICK)),
    })
    const { clean, output } = await checking
    process.stdout.write(output)
    const counts = readCounts(countsFile)
    const failed = Math.max(counts.failed, status === 0 ? 0 : 1) + (clean ? 0 : 1)
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
    console.log(`${counts.passed} passed, ${failed} failed${skipped}`)
    return failed === 0 ? 0 : 1
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Minimum free memory to use a memory file system. */
const ROOM_BYTES = 8 * 2 ** 30

/**
 * Returns a memory file system if enough memory is free, because tests create and remove hundreds of data directories.
 * TMPDIR takes precedence.
 */
function temporaryPlace() {
  // a container may have less memory than the machine; early versions of Node 20 do not report it
  const free = process.availableMemory?.() ?? freemem()
  if (process.platform !== 'linux' || process.env.TMPDIR !== undefined || free < ROOM_BYTES) return tmpdir()
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    return bavail * bsize < ROOM_BYTES ? tmpdir() : '/dev/shm'
  } catch {
    // does not exist
    return tmpdir()
  }
}

function readCounts(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    // the runner crashed before it counted: its exit status makes this a failure
    return { passed: 0, failed: 0, skipped: 0 }
  }
}
