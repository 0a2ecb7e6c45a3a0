import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../model/json/document.ts'
import type { Mapping } from '../../../model/mapping.ts'
import { layoutOf } from '../index/table-layout.ts'
import type { Column } from '../segment/column.ts'
import { openAll } from '../segment/part.ts'
import { incomingRows } from '../segment/parts.fixture.ts'
import { IndexParts } from './index-parts.ts'

const mapping: Mapping = {
  properties: { kind: { type: 'keyword' }, tags: { type: 'keyword' }, n: { type: 'integer' }, note: { type: 'text' } },
}
const layout = layoutOf(mapping)

/** A document as the parts hold it: all values of each field. */
type Values = Readonly<Record<string, readonly unknown[]>>

const word = fc.constantFrom('a', 'b', 'c', 'ü', '\u{1F600}')
const words = fc.oneof(word, fc.array(word, { maxLength: 3 }))
const document = fc.record({ kind: word, tags: words, n: fc.integer({ min: -3, max: 3 }) }, { requiredKeys: [] })

const step = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), documents: fc.array(document, { minLength: 1, maxLength: 5 }) }),
  fc.record({ kind: fc.constant('remove' as const), picks: fc.array(fc.nat(), { maxLength: 3 }) }),
  fc.record({
    kind: fc.constant('edit' as const),
    picks: fc.array(fc.nat(), { minLength: 1, maxLength: 4 }),
    tags: fc.array(words, { minLength: 4, maxLength: 4 }),
  }),
)

function valuesAt(column: Column | undefined, row: number): readonly unknown[] {
  if (column === undefined) return []
  if (column.kind !== 'code' && column.kind !== 'number') throw new Error(`unexpected column ${column.kind}`)
  const [from, to] = column.starts ? [column.starts[row] ?? 0, column.starts[row + 1] ?? 0] : [row, row + 1]
  const found: unknown[] = []
  for (let i = from; i < to; i++) {
    const value = column.kind === 'code' ? column.codes[i] : column.values[i]
    if (column.kind === 'number') {
      if (!Number.isNaN(value)) found.push(value)
    } else if (value !== 0) found.push(column.dictionary.term(value ?? 0))
  }
  return found
}

const valuesOf = (document: JsonObject): Values =>
  Object.fromEntries(
    ['kind', 'tags', 'n'].map((name) => {
      const value = document[name]
      return [name, value === undefined ? [] : Array.isArray(value) ? value : [value]]
    }),
  )

/** Live documents by row number. */
async function contentOf(parts: IndexParts): Promise<Map<number, Values>> {
  const found = new Map<number, Values>()
  const fields = layout.fields
  const opened = await openAll(parts.parts, { fields, seqs: true })
  for (const part of opened.parts) {
    for (let row = 0; row < part.rows; row++) {
      if (!part.live.isLive(row)) continue
      const values = (path: string, type: 'KEYWORD' | 'INTEGER'): readonly unknown[] =>
        valuesAt(part.column({ path, type }), row)
      const tags = [...new Set(values('tags', 'KEYWORD'))]
      found.set(part.seqs.seq(row), { kind: values('kind', 'KEYWORD'), tags, n: values('n', 'INTEGER') })
    }
  }
  return found
}

describe('the parts of an index', () => {
  it('hold what was added, edited and not removed; earlier versions stay as they were', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        let parts = IndexParts.none
        let next = 0
        const model = new Map<number, Values>()
        const versions: { readonly parts: IndexParts; readonly content: Map<number, Values> }[] = []
        for (const change of steps) {
          const seqs = [...model.keys()]
          const picked = change.kind === 'add' ? [] : change.picks.flatMap((n) => seqs[n % seqs.length] ?? [])
          const distinct = [...new Set(picked)]
          if (change.kind === 'add') {
            parts = parts.added(incomingRows(mapping, layout, change.documents, next), layout)
            for (const added of change.documents) {
              const { tags, ...others } = valuesOf(added)
              model.set(next++, { ...others, tags: [...new Set(tags)] })
            }
          } else if (change.kind === 'remove') {
            parts = await parts.removed(distinct)
            for (const seq of distinct) model.delete(seq)
          } else if (distinct.length > 0) {
            const documents = distinct.map((_, i): JsonObject => ({ tags: change.tags[i % change.tags.length] ?? 'a' }))
            const values = incomingRows(mapping, layout, documents).fields.get('tags') ?? { columns: [] }
            const field = { path: 'tags', type: 'KEYWORD' as const }
            parts = await parts.edited({
              seqs: distinct,
              at: distinct.map((seq) => 1_000_000 + seq),
              sizes: distinct.map(() => 7),
              fields: [{ field, values }],
            })
            for (const [i, seq] of distinct.entries()) {
              const tags = [...new Set(valuesOf(documents[i] ?? {}).tags)]
              model.set(seq, { ...model.get(seq), tags })
              expect((await parts.findAll([`d${seq}`])).get(`d${seq}`)).toEqual({ seq, at: 1_000_000 + seq, size: 7 })
            }
          }
          versions.push({ parts, content: new Map(model) })
        }
        for (const { parts: version, content } of versions) expect(await contentOf(version)).toEqual(content)
        const ids = Array.from({ length: next }, (_, seq) => `d${seq}`)
        const found = await parts.findAll([...ids, 'other'])
        expect([...found.values()].map(({ seq }) => seq).sort()).toEqual([...model.keys()].sort())
        for (const [id, { seq }] of found) expect(id).toBe(`d${seq}`)
        for (const [seq, id] of ids.entries()) expect(parts.mayHave(id)).toBe(model.has(seq))
        expect(parts.mayHave('other')).toBe(false)
      }),
      { numRuns: 300 },
    )
  })

  it('overwrites the rows of a failed transaction', async () => {
    const one = IndexParts.none.added(incomingRows(mapping, layout, [{ kind: 'a' }]), layout)
    one.added(incomingRows(mapping, layout, [{ kind: 'lost', tags: ['x', 'y'] }], 1), layout)
    const two = one.added(incomingRows(mapping, layout, [{ kind: 'b', tags: 'z' }], 1), layout)
    expect([...(await contentOf(two)).values()]).toEqual([
      { kind: ['a'], tags: [], n: [] },
      { kind: ['b'], tags: ['z'], n: [] },
    ])
  })

  it('does not edit geometries: the database has them', async () => {
    const places: Mapping = { properties: { place: { type: 'geo_point' } } }
    const own = layoutOf(places)
    const point = (lon: number): JsonObject => ({ place: { lon, lat: 1 } })
    const parts = IndexParts.none.added(incomingRows(places, own, [point(1)]), own)
    const values = incomingRows(places, own, [point(2)]).fields.get('place') ?? { columns: [] }
    const field = { path: 'place', type: 'GEO_POINT' as const }
    expect(parts.isOutdated).toBe(false)
    const edited = await parts.edited({ seqs: [0], at: [0], sizes: [1], fields: [{ field, values }] })
    expect(edited.isOutdated).toBe(true)
  })
})
