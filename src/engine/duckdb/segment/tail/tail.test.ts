import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../model/json/document.ts'
import { layoutOf } from '../../index/table-layout.ts'
import { documentLists, mappingOfAll, mappings } from '../documents.fixture.ts'
import { plainValues } from '../incoming-column.ts'
import { LiveRows } from '../live-rows.ts'
import type { Part } from '../part.ts'
import { valuesOfDocument, valuesOfRow } from '../part-values.fixture.ts'
import { incomingRows, ROW_BYTES } from '../parts.fixture.ts'
import { Tail } from './tail.ts'

const layout = layoutOf(mappingOfAll)

function expectRows(part: Part, documents: readonly JsonObject[], firstSeq: number): void {
  expect(part.rows).toBe(documents.length)
  for (const [row, document] of documents.entries()) {
    const byPath = layout.fields.map((field) => [field.path, valuesOfRow(part, field, row)])
    expect(byPath).toEqual(layout.fields.map((field) => [field.path, valuesOfDocument(field, document)]))
    const seq = firstSeq + row
    expect(part.ids.id(row)).toBe(`d${seq}`)
    expect(part.ids.find(`d${seq}`)).toEqual([row])
    expect([part.seqs.seq(row), part.seqs.row(seq)]).toEqual([seq, row])
    expect([part.extents.at[row], part.extents.size[row]]).toEqual([seq * ROW_BYTES, ROW_BYTES])
  }
}

describe('a tail', () => {
  it('has the values of the documents, and each view keeps its own', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(documentLists, documentLists), { maxLength: 5 }), (writes) => {
        const tail = new Tail(layout, 7)
        const views: { view: Part; documents: readonly JsonObject[] }[] = []
        let documents: readonly JsonObject[] = []
        for (const [failed, written] of writes) {
          const at = documents.length
          tail.append(incomingRows(mappingOfAll, layout, failed, 7 + at), at)
          tail.append(incomingRows(mappingOfAll, layout, written, 7 + at), at)
          documents = [...documents, ...written]
          views.push({ view: tail.view(documents.length, LiveRows.all), documents })
        }
        for (const { view, documents: expected } of views) expectRows(view, expected, 7)
      }),
    )
  })

  it('gets the columns of new fields', () => {
    fc.assert(
      fc.property(mappings, documentLists, documentLists, (mapping, before, after) => {
        const first = layoutOf(mapping)
        const tail = new Tail(first, 0)
        tail.append(incomingRows(mapping, first, before), 0)
        tail.append(incomingRows(mappingOfAll, layout, after, before.length), before.length, layout)
        const known = before.map((document) =>
          Object.fromEntries(Object.entries(document).filter(([path]) => path in mapping.properties)),
        )
        expectRows(tail.view(before.length + after.length, LiveRows.all), [...known, ...after], 0)
      }),
    )
  })

  it('finds all rows of an identifier that the view has', () => {
    const tail = new Tail(layout, 0)
    const rows = (ids: readonly string[], firstSeq: number) => ({
      ...incomingRows(
        mappingOfAll,
        layout,
        ids.map(() => ({})),
        firstSeq,
      ),
      ids: plainValues(ids),
    })
    tail.append(rows(['a', 'b', 'a'], 0), 0)
    const early = tail.view(3, LiveRows.all)
    tail.append(rows(['a', 'c'], 3), 3)
    tail.append(rows(['d', 'b'], 3), 3)
    const late = tail.view(5, LiveRows.all)
    expect(['a', 'b', 'c', 'd'].map((id) => early.ids.find(id))).toEqual([[0, 2], [1], [], []])
    expect(['a', 'b', 'c', 'd'].map((id) => late.ids.find(id))).toEqual([[0, 2], [1, 4], [], [3]])
  })

  it('tells that a LONG is not exact', () => {
    const tail = new Tail(layout, 0)
    const field = { path: 'long', type: 'LONG' } as const
    const isInexact = (view: Part) => {
      const column = view.column(field)
      return column?.kind === 'number' && column.inexact === true
    }
    tail.append(incomingRows(mappingOfAll, layout, [{ long: 1 }]), 0)
    const early = tail.view(1, LiveRows.all)
    tail.append(incomingRows(mappingOfAll, layout, [{ long: ['1', '9007199254740993'] }], 1), 1)
    expect([isInexact(early), isInexact(tail.view(2, LiveRows.all))]).toEqual([false, true])
    expect(early.column({ path: 'long', type: 'KEYWORD' })).toBeUndefined()
  })
})
