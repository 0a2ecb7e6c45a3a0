import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { isBuilt, stampOf } from './build-web.ts'

const run = promisify(execFile)
const root = path.dirname(import.meta.dirname)
const directory = mkdtempSync(path.join(tmpdir(), 'periplus-web-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

test('a page is built again when one of its sources has changed, and only then', () => {
  writeFileSync(path.join(directory, 'a.ts'), 'export const a = 1\n')
  const stamp = stampOf(directory)
  expect(isBuilt(directory, stamp)).toBe(false)
  writeFileSync(path.join(directory, 'stamp'), stamp)
  expect(isBuilt(directory, stamp)).toBe(true)
  writeFileSync(path.join(directory, 'a.ts'), 'export const a = 2\n')
  expect(isBuilt(directory, stampOf(directory))).toBe(false)
})

test('the sources of the page have the types they say', async () => {
  // a separate check, because the page has other globals than the server
  const tsc = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  await run(process.execPath, [tsc, '-p', path.join(root, 'web')]).catch(({ stdout }) => expect(stdout).toBe(''))
})
