import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SqliteFile } from './sqlite-file.ts'

const LAYOUT = 'CREATE TABLE IF NOT EXISTS thing (n INTEGER PRIMARY KEY) STRICT'

let directory: string
let file: SqliteFile

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'periplus-sqlite-'))
  file = SqliteFile.open(join(directory, 'below', 'a.sqlite'))
  file.prepare('thing', 1, LAYOUT)
})
afterEach(() => {
  file.close()
  rmSync(directory, { recursive: true })
})

const insert = (n: number) => () => file.database.prepare('INSERT INTO thing VALUES (?)').run(n).lastInsertRowid
const all = () =>
  file.database
    .prepare('SELECT n FROM thing ORDER BY n')
    .all()
    .map(({ n }) => n)

describe('the SQLite file', () => {
  it('is for its owner alone', () => {
    expect(statSync(join(directory, 'below', 'a.sqlite')).mode & 0o777).toBe(0o600)
  })

  it('refuses tables of a later version', () => {
    expect(() => file.prepare('thing', 2, LAYOUT)).toThrow('contains thing version 1; this release supports version 2')
  })

  it('undoes a transaction that throws', () => {
    expect(() =>
      file.transaction(() => {
        insert(1)()
        throw new Error('no')
      }),
    ).toThrow('no')
    expect(all()).toEqual([])
  })

  it('shares a commit, and undoes only the work that throws', async () => {
    const outcomes = await Promise.allSettled([
      file.commit(insert(1)),
      file.commit(() => {
        insert(2)()
        throw new Error('no')
      }),
      file.commit(insert(1)),
      file.commit(insert(3)),
    ])
    expect(outcomes.map((o) => o.status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
    expect(all()).toEqual([1, 3])
  })

  it('has committed what was asked for when it closes', async () => {
    const inserted = file.commit(insert(7))
    file.close()
    expect(await inserted).toBe(7)
    file = SqliteFile.open(join(directory, 'below', 'a.sqlite'))
    expect(all()).toEqual([7])
  })
})
