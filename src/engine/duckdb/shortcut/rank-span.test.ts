import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { SearchPlan } from '../../../query/plan/plan.ts'
import { everything } from '../../../query/plan/predicate.ts'
import { schemaOf } from '../../../query/schema/schema.ts'
import { openDuckdbEngine } from '../engine.ts'

it('pages through all documents by their identifier, with equal ones and gaps, in both directions', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'periplus-span-'))
  const engine = await openDuckdbEngine({ directory, memoryMiB: 256, threads: 2, concurrency: 4 })
  try {
    await engine.createIndex('things', { properties: { id: { type: 'keyword' }, n: { type: 'integer' } } })
    // Every tenth document has the identifier of the one before it.
    const ids = Array.from({ length: 400 }, (_, i) => `k${String(i % 10 === 9 ? i - 1 : i).padStart(4, '0')}`)
    await engine.write(
      'things',
      ids.map((id, n) => ({ kind: 'index', id: String(n), source: { id, n } })),
    )
    await engine.arrange('*')
    const gaps = Array.from({ length: 60 }, (_, i) => 100 + i)
    await engine.write(
      'things',
      gaps.map((n) => ({ kind: 'delete', id: String(n) })),
    )
    const schema = schemaOf(await engine.indices('things'))
    const [id, n] = [schema.lookup('id'), schema.lookup('n')]
    if (!id || !n) throw new Error('no fields')
    const left = ids.map((text, number) => ({ text, number })).filter(({ number }) => !gaps.includes(number))
    for (const descending of [false, true]) {
      const expected = left
        .toSorted((a, b) => (a.text === b.text ? a.number - b.number : a.text < b.text === descending ? 1 : -1))
        .map(({ number }) => number)
      const sort: SearchPlan['sort'] = [
        { kind: 'field', field: id, descending },
        { kind: 'field', field: n, descending: false },
      ]
      const plan = { indices: ['things'], predicate: everything, sort, size: 7, from: 0, wantsTotal: false }
      const found: number[] = []
      let page = await engine.search(plan)
      while (page.hits.length > 0) {
        found.push(...page.hits.map((hit) => Number(hit.source.n)))
        const last = page.hits.at(-1)?.source
        const values = [String(last?.id), BigInt(Number(last?.n))]
        page = await engine.search({ ...plan, cursor: { direction: 'after', values } })
      }
      expect(found).toEqual(expected)
      const middle = expected[200] ?? 0
      const values = [ids[middle] ?? '', BigInt(middle)]
      const before = await engine.search({ ...plan, cursor: { direction: 'before', values } })
      expect(before.hits.map((hit) => hit.source.n)).toEqual(expected.slice(193, 200))
      const later = await engine.search({ ...plan, from: 150 })
      expect(later.hits.map((hit) => hit.source.n)).toEqual(expected.slice(150, 157))
    }
  } finally {
    await engine.close()
    rmSync(directory, { recursive: true })
  }
})
