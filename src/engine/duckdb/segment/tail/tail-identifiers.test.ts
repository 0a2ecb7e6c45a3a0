import fc from 'fast-check'
import { expect, it } from 'vitest'
import { plainValues } from '../incoming-column.ts'
import { TailIdentifiers } from './tail-identifiers.ts'

const id = fc.oneof(
  fc.constantFrom('', 'a', 'b', 'é', '\u{1f600}', '\ud800', 'costarring', 'liquid'),
  fc.nat({ max: 60 }).map(String),
  fc.string({ unit: 'binary', maxLength: 3 }),
)
const ids = fc.array(id, { maxLength: 60 })

it('finds the rows of an identifier in each view, also after failed writes', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(ids, ids), { maxLength: 6 }), (writes) => {
      const identifiers = new TailIdentifiers()
      const views: { view: ReturnType<TailIdentifiers['view']>; rows: readonly string[] }[] = []
      let rows: readonly string[] = []
      for (const [failed, written] of writes) {
        identifiers.write(plainValues(failed), rows.length, failed.length)
        identifiers.write(plainValues(written), rows.length, written.length)
        rows = [...rows, ...written.map((added) => added.toWellFormed())]
        views.push({ view: identifiers.view(rows.length), rows })
      }
      const sought = new Set(writes.flat(2))
      for (const { view, rows: own } of views) {
        expect(own.map((_, row) => view.id(row))).toEqual(own)
        for (const one of sought) {
          const expected = own.flatMap((other, row) => (other === one.toWellFormed() ? [row] : []))
          expect(view.find(one)).toEqual(expected)
        }
      }
    }),
  )
})

it('finds many identifiers, some of which have many rows', () => {
  const identifiers = new TailIdentifiers()
  const all = Array.from({ length: 5000 }, (_, row) => (row % 2 === 0 ? 'same' : `own ${row}`))
  for (let at = 0; at < all.length; at += 500) identifiers.write(plainValues(all.slice(at, at + 500)), at, 500)
  const view = identifiers.view(all.length)
  expect(view.find('same').length).toBe(2500)
  expect(all.every((one, row) => view.find(one).includes(row))).toBe(true)
})
