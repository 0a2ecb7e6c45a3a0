import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { NewTagRecord } from '../../model/tag-record.ts'
import { SqliteFile } from '../../storage/sqlite-file.ts'
import { sqliteTagLog } from './sqlite-tag-log.ts'
import type { TagLog } from './tag-log.ts'

let file: SqliteFile
let log: TagLog

beforeEach(() => {
  file = SqliteFile.open(':memory:')
  log = sqliteTagLog(file)
})
afterEach(() => file.close())

const record = (collection = 'ships', more: Partial<NewTagRecord> = {}): NewTagRecord => ({
  id: randomUUID(),
  collection,
  action: 'ADD',
  creationTime: 1000,
  request: { tag: { path: 'tags', value: 'v' } },
  ...more,
})

const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => Array.fromAsync(items)

describe('the log in SQLite', () => {
  it('gives offsets from 0 on in the order of acceptance, over all collections', async () => {
    const appended = await Promise.all(['a', 'b', 'a'].map((name) => log.append(record(name))))
    expect(appended.map((one) => one.offset)).toEqual([0, 1, 2])
    expect((await log.append(record('b'))).offset).toBe(3)
  })

  it('gives a record back as it was', async () => {
    const full = record('ships', {
      action: 'REMOVEALL',
      label: 'l"abel \u{1F6A2}',
      principal: 'ann',
      partitionHeader: '{"ships":{"f":[]}}',
      narrowing: 'ab12',
      request: { tag: { path: 'tags', value: null }, filter: { q: [['a;b']] }, propagation: { field: 'id' } },
    })
    const { offset } = await log.append(full)
    expect(await log.find(full.id)).toEqual({ v: 1, offset, ...full })
    expect(await log.find('unknown')).toBeUndefined()
  })

  it('reads a file whose records do not tell what narrowed their senders', async () => {
    const old = SqliteFile.open(':memory:')
    old.prepare(
      'tag_log',
      1,
      `CREATE TABLE tag_log (offset INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, collection TEXT NOT NULL,
         action TEXT NOT NULL, creation_time INTEGER NOT NULL, label TEXT, principal TEXT, partition_header TEXT,
         request TEXT NOT NULL) STRICT;
       INSERT INTO tag_log VALUES (0, 'old', 'ships', 'ADD', 5, NULL, NULL, '{}', '{"tag":{"path":"t","value":1}}')`,
    )
    const reopened = sqliteTagLog(old)
    expect(await reopened.find('old')).toEqual({
      ...{ v: 1, offset: 0, id: 'old', collection: 'ships', action: 'ADD', creationTime: 5, partitionHeader: '{}' },
      request: { tag: { path: 't', value: 1 } },
    })
    const added = await reopened.append(record('ships', { narrowing: 'cd' }))
    expect(await sqliteTagLog(old).find(added.id)).toEqual(added)
    old.close()
  })

  it('finds what is next of a collection, and how much', async () => {
    for (const name of ['a', 'b', 'b', 'a']) await log.append(record(name))
    expect((await log.next('a', 1))?.offset).toBe(3)
    expect(await log.next('a', 4)).toBeUndefined()
    expect(await log.count('b', 0)).toBe(2)
    expect(await log.count('b', 2)).toBe(1)
    expect((await log.heads(new Map([['a', 1]]))).map(({ offset }) => offset)).toEqual([3, 1])
    expect((await log.heads(new Map([['a', 4]]))).map(({ offset }) => offset)).toEqual([1])
    expect(await log.counts(new Map([['b', 2]]))).toEqual(
      new Map([
        ['a', 2],
        ['b', 1],
      ]),
    )
  })

  it('lists the records of a collection, however many', async () => {
    await Promise.all(Array.from({ length: 1203 }, (_, i) => log.append(record(i % 2 === 0 ? 'even' : 'odd'))))
    const offsets = (await collect(log.list('odd'))).map((one) => one.offset)
    expect(offsets).toEqual(Array.from({ length: 601 }, (_, i) => 2 * i + 1))
    expect((await collect(log.list('odd', { from: 2, size: 2 }))).map((one) => one.offset)).toEqual([3, 5])
    expect(await collect(log.list('none'))).toEqual([])
  })

  it('never hands out an offset below what was applied', async () => {
    await log.append(record())
    await log.raise(7)
    expect((await log.append(record())).offset).toBe(7)
    expect((await log.append(record())).offset).toBe(8)
  })

  it('refuses an id twice, and goes on without a gap', async () => {
    const one = record()
    await log.append(one)
    await expect(log.append(one)).rejects.toMatchObject({ code: 'LOG_UNAVAILABLE', headers: { 'Retry-After': '5' } })
    expect((await log.append(record())).offset).toBe(1)
  })

  it('tells of records, until nobody wants to hear it', async () => {
    let told = 0
    const stop = log.onRecords(() => told++)
    await log.append(record())
    stop()
    await log.append(record())
    expect(told).toBe(1)
  })

  it('forgets the head of the log as far as it is old and done, and remembers how far', async () => {
    for (const creationTime of [1, 2, 3, 9, 4]) await log.append(record('a', { creationTime }))
    expect(await log.trim?.(5, ({ offset }) => offset !== 2)).toBe(2)
    expect((await collect(log.list('a'))).map((one) => one.offset)).toEqual([2, 3, 4])
    expect(await log.trim?.(100, () => true)).toBe(5)
    expect(await log.firstOffset()).toBe(5)
    expect((await log.append(record())).offset).toBe(5)
  })

  it('says that it is not available when its file is gone', async () => {
    file.close()
    await expect(log.append(record())).rejects.toMatchObject({ code: 'LOG_UNAVAILABLE' })
    expect((await log.health()).ok).toBe(false)
  })
})
