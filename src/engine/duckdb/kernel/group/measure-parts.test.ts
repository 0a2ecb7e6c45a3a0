import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Mapping } from '../../../../model/mapping.ts'
import { Turn } from '../../../../turn.ts'
import { segmentPart, tailPart } from '../../segment/parts.fixture.ts'
import { partField, withDead } from '../page/page-parts.fixture.ts'
import { measureParts } from './measure-parts.ts'

const mapping: Mapping = {
  dynamic: false,
  properties: { date: { type: 'date' }, few: { type: 'keyword' }, many: { type: 'keyword' }, n: { type: 'integer' } },
}

const COUNT = 2_000
const rows = fc.uniqueArray(fc.nat(COUNT - 1), { maxLength: 12 })

it('counts the distinct values of all rows but few', async () => {
  await fc.assert(
    fc.asyncProperty(rows, rows, fc.nat(9), fc.constantFrom('few', 'many'), async (odd, dead, excluded, path) => {
      // Values of odd rows are rare: some occur in rows that are dead or excluded only.
      const isOdd = new Set([...odd, ...dead])
      const documents = Array.from({ length: COUNT }, (_, i) => ({
        date: i * 1_000,
        few: isOdd.has(i) ? `odd ${i % 10}` : `few ${i % 5}`,
        many: isOdd.has(i) ? `odd ${i}` : `many ${i % 600}`,
        n: i % 7,
      }))
      const isDead = new Set(dead)
      const segment = withDead(
        segmentPart(mapping, documents.slice(0, 1_500)),
        dead.filter((i) => i < 1_500),
      )
      const tail = tailPart(mapping, documents.slice(1_500), 1_500)
      const found = await measureParts(
        {
          indices: ['i'],
          predicate: {
            kind: 'range',
            field: partField(mapping, 'date'),
            lower: { value: excluded * 1_000, inclusive: true },
          },
          metrics: [{ kind: 'cardinality', field: partField(mapping, path) }],
        },
        [
          { part: segment, table: 0 },
          { part: tail, table: 0 },
        ],
        new Turn(),
      )
      const chosen = documents.filter((_, i) => i >= excluded && !(i < 1_500 && isDead.has(i)))
      expect(found.total).toBe(chosen.length)
      expect(found.values).toEqual([new Set(chosen.map((document) => document[path])).size])
    }),
    { numRuns: 60 },
  )
})
