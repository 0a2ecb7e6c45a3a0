import { describe, expect, it } from 'vitest'
import { everything } from '../../../../../query/plan/predicate.ts'
import { Turn } from '../../../../../turn.ts'
import type { Dictionary } from '../../../segment/dictionary.ts'
import { LiveRows } from '../../../segment/live-rows.ts'
import type { Part } from '../../../segment/part.ts'
import { plainPart } from '../../../segment/parts.fixture.ts'
import type { ScannedPart } from '../arrays/scan.ts'
import { groupGap } from '../coverage.ts'
import { fieldOf } from '../oracle.fixture.ts'
import { Entries, KeyMapper } from './key-mapper.ts'
import { levelKeys } from './level-keys.ts'

const numberOf = (term: string): number => Number(term.slice(1))

/** Terms t1, t2 and so on. */
const dictionaryOf = (size: number): Dictionary => ({
  size,
  origin: {},
  sorted: true,
  term: (code) => `t${code}`,
  codeOf: (term) => (numberOf(term) <= size ? numberOf(term) : 0),
  firstFrom: numberOf,
})

function partOf(codes: readonly number[], terms: number, most: number): ScannedPart {
  const column = {
    kind: 'code',
    type: 'KEYWORD',
    codes: Uint32Array.from(codes),
    dictionary: dictionaryOf(terms),
  } as const
  const none = { id: () => '', find: () => [] }
  const part: Part = {
    rows: codes.length,
    live: LiveRows.all,
    column: () => column,
    ids: none,
    seqs: { seq: (row) => row, row: (seq) => seq },
    extents: { at: new Float64Array(), size: new Uint32Array() },
  }
  const filter = { most, isAll: false, holds: () => true, batches: () => [], counts: () => [], exceptions: undefined }
  return { part, table: 0, filter }
}

describe('levelKeys', () => {
  it.each([10, 2_000_000])('gives terms of several parts the same ids, read from %i rows', async (most) => {
    const parts = [
      partOf([900_000, 0, 7, 900_000], 1_000_000, most),
      partOf([7, 3, 900_001], 1_500_000, most),
      partOf([3], 3, 1),
    ]
    const { space, columns } = levelKeys({ kind: 'term', field: fieldOf('kw') }, parts, 0)
    await space.prepare?.(new Turn())
    const entries = new Entries()
    const found = columns.map((column, i) => {
      const terms: unknown[] = []
      if (!column) return terms
      const mapper = new KeyMapper(column)
      mapper.map(undefined, 0, 0, parts[i]?.part.rows ?? 0, entries, () => {
        for (let at = 0; at < entries.count; at++) terms.push([entries.rows[at], space.key(entries.ids[at] ?? 0)])
      })
      return terms
    })
    expect(found).toEqual([
      [
        [0, 't900000'],
        [2, 't7'],
        [3, 't900000'],
      ],
      [
        [0, 't7'],
        [1, 't3'],
        [2, 't900001'],
      ],
      [[0, 't3']],
    ])
  })
})

describe('groupGap', () => {
  const plan = { indices: ['i'], predicate: everything }

  it('names integers that doubles cannot hold', () => {
    const { part, table } = partOf([1], 1, 1)
    const column = { kind: 'number', type: 'LONG', values: new Float64Array(1), inexact: true } as const
    const parts = [{ part: { ...plainPart(part), column: () => column }, table }]
    expect(groupGap({ ...plan, metrics: [{ kind: 'max', field: fieldOf('long') }] }, parts)).toContain('2^53')
  })

  it('accepts other fields', () => {
    const parts = [partOf([1], 1, 1)]
    expect(groupGap({ ...plan, metrics: [{ kind: 'cardinality', field: fieldOf('kw') }] }, parts)).toBeUndefined()
  })
})
