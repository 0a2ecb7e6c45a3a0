import { chmodSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeWorkplace, type Workplace } from './periplus.ts'

let place: Workplace
beforeEach(() => {
  place = makeWorkplace()
  writeFileSync(place.path('a.ndjson'), '{"id":"1","time":"2024-01-01T00:00:00Z","location":"1,2"}\n{"id":\n')
})
afterEach(() => place.remove())

const LOAD = ['load', 'a.ndjson', '--index', 'a', '--collection', 'a']

/** What others may do with the files of a directory, by name; nothing when it is empty. */
function openToOthers(directory: string): Record<string, string> {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  const modes = ['.', ...names].map((name) => [name, lstatSync(path.join(directory, name)).mode & 0o777] as const)
  return Object.fromEntries(
    modes.filter(([, mode]) => (mode & 0o077) !== 0).map(([name, mode]) => [name, mode.toString(8)]),
  )
}

const modeOf = (file: string): string => (lstatSync(file).mode & 0o777).toString(8)

test('all that a server keeps is for its owner alone, also in a directory that was open', async () => {
  mkdirSync(place.data)
  chmodSync(place.data, 0o755)
  const server = await place.serve()
  try {
    await place.run(LOAD)
    expect(readdirSync(path.join(place.data, 'sources'))).not.toEqual([])
    const names = readdirSync(place.data)
    expect(names).toEqual(expect.arrayContaining(['periplus.duckdb', 'periplus.sqlite', 'server.json', 'sources']))
    expect(openToOthers(place.data)).toEqual({})
  } finally {
    await server.stop()
  }
})

test('and what a command keeps, but not the files it is asked for', async () => {
  const asked = (0o666 & ~process.umask()).toString(8)
  await place.run(LOAD)
  await place.run(['keys', 'create', '--user', 'ann'])
  expect(readdirSync(place.data)).toEqual(expect.arrayContaining(['periplus.duckdb', 'api-keys.json', 'sources']))
  expect(openToOthers(place.data)).toEqual({})
  expect(modeOf(place.path('a.ndjson.rejects.ndjson'))).toBe(asked)
  expect((await place.run(['export', 'a', '--output', 'a.csv'])).code).toBe(0)
  expect((await place.run(['collections', 'export', 'all.json'])).code).toBe(0)
  expect([modeOf(place.path('a.csv')), modeOf(place.path('all.json'))]).toEqual([asked, asked])
})
