import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../model/json/document.ts'
import type { Mapping } from '../../../../model/mapping.ts'
import { layoutOf } from '../../index/table-layout.ts'
import { LiveRows } from '../live-rows.ts'
import { type OpenedPart, openAll, residentPart, type Wanted } from '../part.ts'
import { buildSegment, tailPart } from '../parts.fixture.ts'
import { DamagedSegment, removeSegmentFile } from './segment-file.ts'
import { writeSegmentFile } from './segment-file-writer.ts'
import { SegmentMemory } from './segment-memory.ts'
import { StoredSegment } from './stored-segment.ts'

const mapping: Mapping = {
  properties: { kind: { type: 'keyword' }, n: { type: 'long' }, note: { type: 'text' }, place: { type: 'geo_point' } },
}
const documents: readonly JsonObject[] = Array.from({ length: 50 }, (_, i) => ({
  kind: `kind ${i % 7}`,
  n: i,
  note: 'some words',
}))
const kind = { path: 'kind', type: 'KEYWORD' } as const
const n = { path: 'n', type: 'LONG' } as const
const note = { path: 'note', type: 'TEXT' } as const
const range = { firstSeq: 0, endSeq: documents.length }
const data = buildSegment([tailPart(mapping, documents)], layoutOf(mapping), range)

let directory: string
let memory: SegmentMemory
let segment: StoredSegment

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'periplus-stored-'))
  await writeSegmentFile(directory, 'a', data)
  memory = new SegmentMemory(2 ** 20)
  segment = await StoredSegment.open(join(directory, 'a'), memory)
})

afterEach(async () => {
  await segment.retire()
  rmSync(directory, { recursive: true })
})

const open = async (wanted: Wanted): Promise<OpenedPart> => segment.part(LiveRows.all).open(wanted)

describe('a stored segment', () => {
  it('is known without reading columns', () => {
    const part = segment.part(LiveRows.all.without([3]))
    expect(part).toMatchObject({ rows: 50, live: { dead: 1 } })
    expect(part.column(kind)).toEqual({ kind: 'code', type: 'KEYWORD', dictionary: { size: 7 } })
    expect(part.column(n)).toEqual({ kind: 'number', type: 'LONG' })
    expect(part.column({ path: 'n', type: 'KEYWORD' })).toBeUndefined()
    expect(part.column({ path: 'place', type: 'GEO_POINT' })).toBeUndefined()
    expect(part.knownIds).toBeUndefined()
    expect(memory).toMatchObject({ bytes: 0, loads: 0 })
  })

  it('has what it was opened with, in shared memory', async () => {
    const { part, release } = await open({ fields: [kind, n], extents: true })
    expect(part.column(n)).toEqual(data.columns.find(({ path }) => path === 'n'))
    const column = part.column(kind)
    if (column?.kind !== 'code') throw new Error('not a keyword')
    expect(column.dictionary.term(1)).toBe('kind 0')
    expect(column.codes.buffer).toBeInstanceOf(SharedArrayBuffer)
    expect(part.extents).toEqual(data.extents)
    expect(memory.bytes).toBe(segment.bytesOf({ fields: [kind, n], extents: true }))
    expect(segment.loaded).toEqual({ fields: [kind, n], ids: false, seqs: false, extents: true })
    release()
  })

  it('refuses what it was not opened with, but has no values of fields that no row has', async () => {
    const { part, release } = await open({ fields: [kind] })
    expect(() => part.column(note)).toThrow('opened without its column note')
    expect(() => part.ids).toThrow('opened without its identifiers')
    expect(() => part.seqs).toThrow('opened without its row numbers')
    expect(() => part.extents).toThrow('opened without its extents')
    expect(part.column({ path: 'place', type: 'GEO_POINT' })).toBeUndefined()
    release()
  })

  it('is opened at once if everything is in memory, with the same columns', async () => {
    const first = await open({ fields: [kind], ids: true })
    first.release()
    const part = segment.part(LiveRows.all)
    const again = part.open({ fields: [kind], ids: true })
    if (again instanceof Promise) throw new Error('not at once')
    expect(again.part.column(kind)).toBe(first.part.column(kind))
    expect(again.part.ids.find('d7')).toEqual(first.part.ids.find('d7'))
    expect(part.knownIds?.find('none')).toEqual([])
    again.release()
    expect(memory.loads).toBe(2)
  })

  it('is read once by concurrent readers', async () => {
    const opened = await Promise.all(Array.from({ length: 8 }, () => open({ fields: [kind, note] })))
    expect(memory.loads).toBe(2)
    for (const { release } of opened) release()
  })

  it('can be read by those who hold it after it was removed', async () => {
    segment.hold()
    await segment.retire()
    await removeSegmentFile(directory, 'a')
    const { part, release } = await open({ fields: [n] })
    expect(part.column(n)?.kind).toBe('number')
    release()
    await segment.release()
    expect(memory.bytes).toBe(0)
    await expect(open({ fields: [n] })).rejects.toThrow('is closed')
  })

  it('tells when it is damaged, and keeps nothing then', async () => {
    const bytes = readFileSync(join(directory, 'a'))
    bytes.fill(0x55, 16, 24)
    writeFileSync(join(directory, 'a'), bytes)
    const parts = [residentPart(tailPart(mapping, documents)), segment.part(LiveRows.all)]
    const opening = openAll(parts, { fields: [kind, n, note], ids: true })
    await expect(opening).rejects.toThrow(DamagedSegment)
    const others = await open({ ids: true })
    others.release()
    expect(memory.bytes).toBe(segment.bytesOf({ ids: true }))
  })

  it('releases everything if the reader leaves while it is opened', async () => {
    const small = new SegmentMemory(0)
    const own = await StoredSegment.open(join(directory, 'a'), small)
    const leaving = new AbortController()
    const opening = openAll(
      [own.part(LiveRows.all), own.part(LiveRows.all)],
      { fields: [kind, n, note] },
      leaving.signal,
    )
    leaving.abort(new Error('left'))
    await expect(opening).rejects.toThrow('left')
    expect(small.bytes).toBe(0)
    await own.retire()
  })
})
