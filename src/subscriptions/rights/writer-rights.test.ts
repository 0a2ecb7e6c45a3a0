import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Writer } from '../../access/rights/writer.ts'
import { SqliteFile } from '../../storage/sqlite-file.ts'
import { newSubscription } from '../matching/matching.fixture.ts'
import type { SubscriptionStore } from '../record/subscription-store.ts'
import { sqliteSubscriptionStore } from '../stores/sqlite/sqlite-subscription-store.ts'
import { WriterRights } from './writer-rights.ts'

const ann = (...roles: readonly string[]): Writer => ({ mode: 'jwt', user: 'ann', roles, permissions: [] })

let file: SqliteFile
let store: SubscriptionStore
const faults: unknown[] = []
const open = (namesCallers = true) =>
  new WriterRights({ subscriptions: store, namesCallers, onFault: (error) => faults.push(error) })
const writerOf = async (id: string) => (await store.get(id))?.access.writer
const insert = (id: string, writer: Writer | undefined, more = {}) =>
  store.insert(newSubscription(id, { created_by: 'ann', access: writer === undefined ? {} : { writer }, ...more }))

beforeEach(() => {
  file = SqliteFile.open(':memory:')
  store = sqliteSubscriptionStore(file)
})
afterEach(() => {
  file.close()
  expect(faults).toEqual([])
})

describe('rights that requests tell of', () => {
  it('are stored with the subscriptions of their sender, old and new', async () => {
    const rights = open()
    await insert('old', ann('r1'))
    await rights.start()
    await insert('new', { ...ann('r1'), within: 'bar' })
    await insert('other', { ...ann('r1'), user: 'bob' })
    rights.note(ann('r2'))
    rights.note({ ...ann('r3'), within: 'foo' })
    await rights.stop()
    expect(await writerOf('old')).toEqual(ann('r3'))
    // The `arlas-org-filter` of the original request is kept.
    expect(await writerOf('new')).toEqual({ ...ann('r3'), within: 'bar' })
    expect(await writerOf('other')).toMatchObject({ user: 'bob', roles: ['r1'] })
  })

  it('are remembered while subscriptions are being read', async () => {
    await insert('s1', ann('r1'))
    const rights = open()
    rights.note(ann('r2'))
    await rights.start()
    await rights.stop()
    expect(await writerOf('s1')).toEqual(ann('r2'))
  })

  it('write nothing when they are the same', async () => {
    await insert('s1', ann('r1'))
    const rights = open()
    await rights.start()
    rights.note(ann('r1'))
    await rights.stop()
    expect((await store.get('s1'))?.version).toBe(1)
  })

  it('are neither those of a key nor of the same name known in another way', async () => {
    const key: Writer = { mode: 'apikey', user: 'ann', key: 'k1' }
    await insert('byKey', key)
    await insert('byProxy', { ...ann('r1'), mode: 'header' })
    const rights = open()
    await rights.start()
    rights.note(ann('r2'))
    rights.note({ ...key, key: 'k2' })
    await rights.stop()
    expect(await writerOf('byKey')).toEqual(key)
    expect(await writerOf('byProxy')).toMatchObject({ roles: ['r1'] })
  })

  it('begin with the next request where they were not kept', async () => {
    await insert('mine', undefined)
    await insert('byAdmin', undefined, { created_by_admin: true })
    const rights = open()
    await rights.start()
    const key: Writer = { mode: 'apikey', user: 'ann', key: 'k1' }
    rights.note({ ...key, within: 'x' })
    await rights.stop()
    expect(await writerOf('mine')).toEqual(key)
    expect(await writerOf('byAdmin')).toBeUndefined()
  })

  it('are not guessed from names that others give', async () => {
    await insert('named', undefined)
    const rights = open(false)
    await rights.start()
    rights.note(ann('r1'))
    await rights.stop()
    expect(await writerOf('named')).toBeUndefined()
  })
})
