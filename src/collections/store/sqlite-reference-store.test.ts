import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CollectionReference } from '../../model/collection.ts'
import { openSqliteReferenceStore } from './sqlite-reference-store.ts'

let directory: string
let file: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'periplus-references-'))
  file = join(directory, 'data', 'metadata.sqlite')
})
afterEach(() => rmSync(directory, { recursive: true }))

const reference = (name: string, title = name): CollectionReference => ({
  collection_name: name,
  params: {
    index_name: 'dataset',
    id_path: 'id',
    geometry_path: 'g',
    centroid_path: 'c',
    timestamp_path: 't',
    license_name: title,
  },
})

const names = (references: readonly CollectionReference[]): string[] => references.map((r) => r.collection_name)

describe('the SQLite reference store', () => {
  it('lists in the order of creation and keeps the place of what is replaced, also after reopening', async () => {
    const store = openSqliteReferenceStore(file)
    for (const name of ['zz', 'mm', 'aa']) await store.putAll([reference(name)])
    await store.putAll([reference('mm', 'new')])
    expect(names(await store.list())).toEqual(['zz', 'mm', 'aa'])
    await store.close()

    const again = openSqliteReferenceStore(file)
    expect(names(await again.list())).toEqual(['zz', 'mm', 'aa'])
    expect(await again.get('mm')).toEqual(reference('mm', 'new'))
    await again.close()
  })

  it('puts what was deleted and created again at the end', async () => {
    const store = openSqliteReferenceStore(file)
    await store.putAll([reference('a'), reference('b')])
    expect(await store.delete('a')).toBe(true)
    expect(await store.delete('a')).toBe(false)
    expect(await store.get('a')).toBeUndefined()
    await store.putAll([reference('a')])
    expect(names(await store.list())).toEqual(['b', 'a'])
    await store.close()

    const again = openSqliteReferenceStore(file)
    expect(names(await again.list())).toEqual(['b', 'a'])
    await again.close()
  })

  it('has a write on disk when the promise resolves, without being closed', async () => {
    const store = openSqliteReferenceStore(file)
    await store.putAll([reference('a')])
    const other = openSqliteReferenceStore(file)
    expect(await other.get('a')).toEqual(reference('a'))
    await other.close()
    await store.close()
  })

  it('saves all of a list or nothing', async () => {
    const store = openSqliteReferenceStore(file)
    await store.putAll([reference('a', 'old')])
    const circular: Record<string, unknown> = {}
    circular.self = circular
    const broken = { ...reference('c'), params: { ...reference('c').params, custom_params: circular } }
    await expect(
      store.putAll([reference('a', 'new'), reference('b'), broken as unknown as CollectionReference]),
    ).rejects.toThrow()
    expect(await store.list()).toEqual([reference('a', 'old')])
    await store.close()

    const again = openSqliteReferenceStore(file)
    expect(await again.list()).toEqual([reference('a', 'old')])
    await again.close()
  })

  it('keeps names and texts of any script', async () => {
    const strange = reference('géo\u{1F30D}-données', 'a"b\\c\n\u0000 \ud800')
    const store = openSqliteReferenceStore(file)
    await store.putAll([strange])
    await store.close()
    const again = openSqliteReferenceStore(file)
    expect(await again.list()).toEqual([strange])
    await again.close()
  })

  it('lives beside other tables and refuses a layout of a later release', async () => {
    const store = openSqliteReferenceStore(file)
    await store.close()
    const database = new DatabaseSync(file)
    expect(database.prepare('PRAGMA journal_mode').get()).toMatchObject({ journal_mode: 'wal' })
    database.exec(
      "CREATE TABLE other (x); UPDATE schema_version SET version = 99 WHERE component = 'collection_reference'",
    )
    database.close()
    expect(() => openSqliteReferenceStore(file)).toThrow(/version 99/)
  })
})
