import { afterAll, expect, it } from 'vitest'
import type { Mapping } from '../../../model/mapping.ts'
import { BothEngines, level } from '../both-engines.fixture.ts'

const both = new BothEngines()
afterAll(() => both.close())

const mapping: Mapping = {
  dynamic: false,
  properties: { kind: { type: 'keyword' }, day: { type: 'date' }, name: { type: 'keyword' }, number: { type: 'long' } },
}

/** Every kind has a different number of names; for several of them the count of the cluster is sometimes off. */
const documents = Array.from({ length: 12 }, (_, kind) =>
  Array.from({ length: 600 + 150 * kind }, (_, i) => ({
    kind: `k${kind}`,
    day: (i % 3) * 86_400_000,
    name: `name-${kind}-${i * 7919}`,
    number: i * 1_000_003,
  })),
).flat()

it('distinct values in buckets are counted exactly up to 3,000, also where buckets are ordered by them', async () => {
  const index = await both.makeIndex('bucket-cardinalities', mapping, documents)
  const answer = await both.compare([index], (f) => ({
    levels: [
      level(
        { kind: 'term', field: f('kind') },
        {
          size: 20,
          order: { by: 'metric', metric: 1, descending: false },
          metrics: [
            { kind: 'avg', field: f('number') },
            { kind: 'cardinality', field: f('name') },
          ],
        },
      ),
      level(
        { kind: 'datehistogram', field: f('day'), interval: { kind: 'fixed', length: 86_400_000 } },
        { order: { by: 'key', descending: false }, metrics: [{ kind: 'cardinality', field: f('number') }] },
      ),
    ],
  }))
  expect(answer.buckets.map(({ key, metrics }) => [key, metrics[1]])).toEqual(
    Array.from({ length: 12 }, (_, kind) => [`k${kind}`, 600 + 150 * kind]),
  )
})
