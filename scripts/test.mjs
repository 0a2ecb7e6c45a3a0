import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import path from 'node:path'
import { launchTool } from './launch.mjs'

/** Types, lint and the directions of imports; true when all are clean. */
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
 * Everything that must hold: types, lint, imports, then the tests. The last line printed is `N passed, N failed[, N skipped]`;
 * if types, lint or imports fail, that counts as one failure.
 */
export async function test(args) {
  const directory = mkdtempSync(path.join(temporaryPlace(), 'periplus-test-'))
  // a node of a cluster, which is not run by root, keeps its data in it
  chmodSync(directory, 0o755)
  const countsFile = path.join(directory, 'counts.json')
  try {
    const clean = args.length > 0 || (await check())
    const status = await launchTool('node_modules/vitest/vitest.mjs', ['run', ...args], {
      TEST_COUNTS_FILE: countsFile,
      TMPDIR: directory,
    })
    const counts = readCounts(countsFile)
    const failed = Math.max(counts.failed, status === 0 ? 0 : 1) + (clean ? 0 : 1)
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
    console.log(`${counts.passed} passed, ${failed} failed${skipped}`)
    return failed === 0 ? 0 : 1
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Where less memory is free, it is left to what runs in it. */
const ROOM_BYTES = 8 * 2 ** 30

/**
 * In memory where there is plenty: hundreds of data directories are made and removed, and none outlives the machine. A
 * directory that TMPDIR names is taken as it is.
 */
function temporaryPlace() {
  // a container may have less than the machine; early versions of Node 20 cannot tell
  const free = process.availableMemory?.() ?? freemem()
  if (process.platform !== 'linux' || process.env.TMPDIR !== undefined || free < ROOM_BYTES) return tmpdir()
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    return bavail * bsize < ROOM_BYTES ? tmpdir() : '/dev/shm'
  } catch {
    // it is not there
    return tmpdir()
  }
}

function readCounts(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    // the runner ended before it could count: its exit status makes this a failure
    return { passed: 0, failed: 0, skipped: 0 }
  }
}
