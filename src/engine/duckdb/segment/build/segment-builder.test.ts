import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../model/json/document.ts'
import type { Mapping } from '../../../../model/mapping.ts'
import { compareCodePoints } from '../../../../query/value/code-point-order.ts'
import { clusteringField, layoutOf } from '../../index/table-layout.ts'
import { BLOCK, type CodeColumn, type Column, NO_KEY, type NumberColumn } from '../column.ts'
import { documentLists, mappingOfAll, mappings } from '../documents.fixture.ts'
import { LiveRows } from '../live-rows.ts'
import type { Part } from '../part.ts'
import { valuesOfDocument, valuesOfRow } from '../part-values.fixture.ts'
import { buildSegment, plainPart, ROW_BYTES, tailPart } from '../parts.fixture.ts'
import { rowsOfToken } from '../postings.ts'
import { type SegmentData, segmentOf } from '../segment-data.ts'

interface Input {
  readonly mapping: Mapping
  readonly lists: readonly (readonly JsonObject[])[]
  /** Which of ten rows are dead, for each list. */
  readonly dead: readonly (readonly number[])[]
  /** Lists that are segments already. */
  readonly sealed: readonly boolean[]
}

const lists = fc.array(documentLists, { minLength: 1, maxLength: 3 })
const inputs: fc.Arbitrary<Input> = fc.record({
  mapping: mappings,
  lists,
  dead: fc.array(fc.array(fc.nat(9), { maxLength: 4 }), { minLength: 3, maxLength: 3 }),
  sealed: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
})

interface Built {
  readonly data: SegmentData
  readonly part: Part
  /** Documents by row number in the database, without dropped ones. */
  readonly documents: ReadonlyMap<number, JsonObject>
  readonly endSeq: number
}

function build({ mapping, lists, dead, sealed }: Input): Built {
  const layout = layoutOf(mapping)
  const documents = new Map<number, JsonObject>()
  const parts: Part[] = []
  let seq = 0
  for (const [i, list] of lists.entries()) {
    const tail = tailPart(mapping, list, seq)
    const range = { firstSeq: seq, endSeq: seq + list.length }
    const part = sealed[i] ? segmentOf(buildSegment([tail], layout, range), LiveRows.all) : tail
    const live = LiveRows.all.without(
      Array.from({ length: part.rows }, (_, row) => row).filter((row) => dead[i]?.includes(row % 10)),
    )
    parts.push({ ...plainPart(part), live })
    for (let row = 0; row < part.rows; row++) {
      const number = part.seqs.seq(row)
      if (live.isLive(row)) documents.set(number, list[number - seq] ?? {})
    }
    seq += list.length
  }
  const data = buildSegment(parts, layout, { firstSeq: 0, endSeq: seq })
  return { data, part: segmentOf(data, LiveRows.all), documents, endSeq: seq }
}

const rowsOf = ({ part }: Built): readonly number[] => Array.from({ length: part.rows }, (_, row) => row)

const positionsOf = ({ starts }: { starts?: Uint32Array }, row: number): readonly number[] => {
  if (starts === undefined) return [row]
  const from = starts[row] ?? 0
  return Array.from({ length: (starts[row + 1] ?? 0) - from }, (_, i) => from + i)
}

const columnsOf = ({ part }: Built, mapping: Mapping): readonly Column[] =>
  layoutOf(mapping).fields.flatMap((field) => part.column(field) ?? [])

const greatestDivisor = (a: number, b: number): number => (b === 0 ? a : greatestDivisor(b, a % b))

const doubleAt = ({ values, packing }: NumberColumn, at: number): number => {
  const value = values[at] ?? 0
  if (packing === undefined) return value
  return value === 0 ? Number.NaN : packing.base + (value - 1) * packing.step
}

describe('a segment', () => {
  it('has the values of the live documents', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const { part, documents, endSeq } = build(input)
        expect(part.rows).toBe(documents.size)
        for (let seq = 0; seq < endSeq; seq++) {
          const document = documents.get(seq)
          const row = part.seqs.row(seq)
          expect(part.ids.find(`d${seq}`)).toEqual(document ? [row] : [])
          if (!document) {
            expect(row).toBe(-1)
            continue
          }
          expect([part.seqs.seq(row), part.ids.id(row)]).toEqual([seq, `d${seq}`])
          expect([part.extents.at[row], part.extents.size[row]]).toEqual([seq * ROW_BYTES, ROW_BYTES])
          const { fields } = layoutOf(input.mapping)
          const byPath = fields.map((field) => [field.path, valuesOfRow(part, field, row)])
          expect(byPath).toEqual(fields.map((field) => [field.path, valuesOfDocument(field, document)]))
        }
      }),
    )
  })

  it('is sorted by the Morton key', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const built = build(input)
        const { part } = built
        const field = clusteringField(layoutOf(input.mapping))
        const column = field && part.column(field)
        if (column?.kind !== 'point' && column?.kind !== 'shape') {
          expect(part.sortedBy).toBeUndefined()
          expect(rowsOf(built).map((row) => part.seqs.seq(row))).toEqual([...built.documents.keys()])
          return
        }
        const isSeveral = column.kind === 'point' && column.starts !== undefined
        expect(part.sortedBy).toBe(isSeveral ? undefined : field?.path)
        const keys = rowsOf(built).map((row) => {
          const [at] = positionsOf(column.kind === 'point' ? column : {}, row)
          return at === undefined ? [NO_KEY, 0] : [column.high[at] ?? 0, column.low[at] ?? 0]
        })
        const sorted = keys.toSorted(([a = 0, b = 0], [c = 0, d = 0]) => a - c || b - d)
        expect(keys).toEqual(sorted)
      }),
    )
  })

  it('has sorted dictionaries of the used terms, and the narrowest codes', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const built = build(input)
        for (const column of columnsOf(built, input.mapping)) {
          if (column.kind !== 'code' && column.kind !== 'text') continue
          const { dictionary } = column
          const codes = column.kind === 'code' ? column.codes : column.tokens
          const used = [...new Set(codes)].filter((code) => code !== 0).sort((a, b) => a - b)
          expect(used).toEqual(Array.from({ length: dictionary.size }, (_, i) => i + 1))
          const terms = used.map((code) => dictionary.term(code))
          expect(terms).toEqual(terms.toSorted(compareCodePoints))
          expect(codes).toBeInstanceOf(dictionary.size > 255 ? Uint16Array : Uint8Array)
          expect(codes.buffer).toBeInstanceOf(SharedArrayBuffer)
          if (column.kind === 'code') expectRowsByCode(built, column)
          if (column.kind !== 'text') continue
          for (const token of used) {
            const has = (row: number): boolean =>
              codes.subarray(column.starts[row], column.starts[row + 1]).includes(token)
            expect(column.postings && [...rowsOfToken(column.postings, token)]).toEqual(rowsOf(built).filter(has))
          }
        }
      }),
    )
  })

  it('packs integers, and has the main date in order', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const built = build(input)
        const { fields } = layoutOf(input.mapping)
        const mainDate = fields.find(({ type }) => type === 'DATE')
        for (const field of fields) {
          const column = built.part.column(field)
          if (column?.kind !== 'number') continue
          const values = Array.from(column.values, (_, at) => doubleAt(column, at)).filter((v) => !Number.isNaN(v))
          const [min, max] = [Math.min(...values), Math.max(...values)]
          const isPacked = values.every(Number.isSafeInteger) && max - min < 2 ** 32 - 2
          if (isPacked) expect(column.packing?.base).toBe(min)
          const { packing } = column
          if (packing && min < max)
            expect(values.reduce((step, v) => greatestDivisor(step, v - min), 0)).toBe(packing.step)
          const isOrdered = field === mainDate && column.starts === undefined
          expect(column.order !== undefined).toBe(isOrdered)
          if (!isOrdered) continue
          const withValue = rowsOf(built).filter((row) => !Number.isNaN(doubleAt(column, row)))
          const sorted = withValue.toSorted((a, b) => doubleAt(column, a) - doubleAt(column, b) || a - b)
          expect(column.order && [...column.order]).toEqual(sorted)
        }
      }),
    )
  })

  it('has summaries of blocks', () => {
    const documents = Array.from({ length: 2 * BLOCK + 10 }, (_, i): JsonObject => {
      const place = { lon: (i % 360) - 180, lat: (i % 170) - 85 }
      const several = i % 3 === 0 ? [i, -i] : i
      const area = `POINT (${(i * 7) % 180} ${i % 80})`
      return {
        kind: i % 4 === 0 ? [`k${i % 100}`, `k${i % 90}`, `k${i % 100}`] : `k${i % 100}`,
        long: several,
        at: i * 1000,
        ...(i % 5 === 0 ? {} : { place }),
        double: i / 7,
        area,
      }
    })
    const input = { mapping: mappingOfAll, lists: [documents], dead: [[]], sealed: [false] }
    const built = build(input)
    for (const column of columnsOf(built, mappingOfAll)) {
      if (column.kind === 'code') expectRowsByCode(built, column)
      for (let block = 0; block < 3; block++) {
        const rows = rowsOf(built).filter((row) => Math.floor(row / BLOCK) === block)
        if (column.kind === 'number') expectBlock(column, rows, block)
        if (column.kind === 'point' || column.kind === 'shape') expectBox(column, rows, block)
      }
    }
  })

  it('may be empty', () => {
    const { part } = build({ mapping: mappingOfAll, lists: [[{ kind: 'a' }]], dead: [[0]], sealed: [false] })
    expect([part.rows, part.column({ path: 'kind', type: 'KEYWORD' }), part.ids.find('d0')]).toEqual([0, undefined, []])
  })
})

function expectRowsByCode(built: Built, column: CodeColumn): void {
  const { dictionary, codes, rowsByCode } = column
  expect(rowsByCode !== undefined).toBe(dictionary.size > 64)
  if (!rowsByCode) return
  for (let code = 1; code <= dictionary.size; code++) {
    const rows = rowsByCode.rows.subarray(rowsByCode.starts[code], rowsByCode.starts[code + 1])
    const has = (row: number): boolean => positionsOf(column, row).some((at) => codes[at] === code)
    expect([...rows]).toEqual(rowsOf(built).filter(has))
  }
}

function expectBlock(column: NumberColumn, rows: readonly number[], block: number): void {
  const values = rows.map((row) => positionsOf(column, row).map((at) => doubleAt(column, at)))
  const present = values.flat().filter((value) => !Number.isNaN(value))
  const isComplete = values.every((own) => own.some((value) => !Number.isNaN(value)))
  expect(present.length).toBeGreaterThan(0)
  expect(column.blocks?.min[block]).toBe(Math.min(...present))
  expect(column.blocks?.max[block]).toBe(Math.max(...present))
  expect(column.blocks?.complete[block]).toBe(isComplete ? 1 : 0)
}

function expectBox(column: Extract<Column, { kind: 'point' | 'shape' }>, rows: readonly number[], block: number): void {
  const edges =
    column.kind === 'shape'
      ? [column.west, column.south, column.east, column.north]
      : [column.lon, column.lat, column.lon, column.lat]
  const at = rows.filter((row) => column.high[row] !== NO_KEY)
  const [west, south, east, north] = edges.map((edge) => at.map((row) => edge[row] ?? 0))
  const box = [
    Math.min(...(west ?? [])),
    Math.min(...(south ?? [])),
    Math.max(...(east ?? [])),
    Math.max(...(north ?? [])),
  ]
  expect([...(column.blockBoxes?.subarray(4 * block, 4 * block + 4) ?? [])]).toEqual(box)
}
