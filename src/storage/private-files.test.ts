import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makePrivateDirectory } from './private-files.ts'

let place: string
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'periplus-private-'))
})
afterEach(() => rmSync(place, { recursive: true }))

const modeOf = (file: string): string => (statSync(file).mode & 0o7777).toString(8)

function makeOpen(file: string): string {
  writeFileSync(file, '')
  chmodSync(file, 0o644)
  return file
}

function makeOpenDirectory(directory: string, mode = 0o755): string {
  mkdirSync(directory)
  chmodSync(directory, mode)
  return directory
}

test('a new directory is for its owner alone', () => {
  const directory = join(place, 'a', 'b')
  expect(makePrivateDirectory(directory)).toBeUndefined()
  expect(modeOf(directory)).toBe('700')
})

test('one that is there is closed, with all that is ours in it', () => {
  const directory = makeOpenDirectory(join(place, 'data'))
  const sources = makeOpenDirectory(join(directory, 'sources'))
  const files = [
    makeOpen(join(directory, 'periplus.duckdb')),
    makeOpen(join(directory, 'periplus.duckdb.wal')),
    makeOpen(join(directory, 'periplus.sqlite')),
    makeOpen(join(directory, 'api-keys.json')),
    makeOpen(join(sources, 'things.1')),
  ]
  expect(makePrivateDirectory(directory)).toBeUndefined()
  expect([directory, sources].map(modeOf)).toEqual(['700', '700'])
  expect(files.map(modeOf)).toEqual(files.map(() => '600'))
})

test('an empty one is closed', () => {
  const directory = makeOpenDirectory(join(place, 'data'), 0o777)
  expect(makePrivateDirectory(directory)).toBeUndefined()
  expect(modeOf(directory)).toBe('700')
})

test.each([
  ['with other things in it', 0o755, 'notes.txt'],
  ['that everybody may write to', 0o1777, 'periplus.yaml'],
])('a directory %s keeps its mode, which is said; our files are closed', (_name, mode, other) => {
  const directory = makeOpenDirectory(join(place, 'shared'), mode)
  makeOpen(join(directory, other))
  const own = makeOpen(join(directory, 'periplus.sqlite'))
  expect(makePrivateDirectory(directory)).toContain(`${directory}, which also contains other files`)
  expect([modeOf(directory), modeOf(own)]).toEqual([mode.toString(8), '600'])
})

test('links are not followed', () => {
  const elsewhere = makeOpen(join(place, 'elsewhere'))
  const directory = makeOpenDirectory(join(place, 'data'))
  symlinkSync(elsewhere, join(directory, 'periplus.sqlite'))
  expect(makePrivateDirectory(directory)).toBeUndefined()
  expect([modeOf(directory), modeOf(elsewhere)]).toEqual(['700', '644'])
})
