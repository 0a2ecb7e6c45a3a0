import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeEach, engines } from '../support/engines.ts'
import type { RunningServer } from '../support/running-server.ts'
import { asker } from './buckets.ts'
import { documentsToAggregateFor } from './documents-for.ts'
import type { AggregatedDocument } from './oracle/aggregated-documents.ts'
import { compareCodePoints, tokensOf } from './oracle/texts.ts'
import { loadEdgePlaces, loadRandom } from './random-index.ts'

describeEach(engines)('laws of suggestions on the $name engine', (engine) => {
  let server: RunningServer
  let documents: readonly AggregatedDocument[]
  beforeAll(async () => {
    server = await engine.start()
    documents = await loadRandom(documentsToAggregateFor(engine), server.base, 'several', 200)
    await loadEdgePlaces(server.base, 'edges', 300)
  })
  afterAll(() => server?.stop())

  const edges = asker(() => server.base, 'edges')
  const several = asker(() => server.base, 'several')

  test('suggestions of a keyword are its terms', async () => {
    for (const [ask, field] of [
      [several, 'kw'],
      [several, 'deep.kw'],
      [edges, 'label'],
    ] as const) {
      const { elements } = await ask.aggregate([`term:${field}:size-1000`])
      const suggestions = await ask.suggest([
        ['field', field],
        ['size', 1000],
      ])
      expect(suggestions.map((s) => [s.text, s.count])).toEqual(elements.map((b) => [b.key, b.count]))
      expect(new Set(suggestions.map((s) => s.field))).toEqual(new Set([field]))
    }
  })

  test.each([
    ['b', ['a,b', 'a-b', 'blue']],
    ['W', ['north west']],
    ['north w', ['north west']],
    // One `:` or `.` between letters does not part words.
    ['y', []],
    ['a:', ['a:b']],
    ['z', ['(z)']],
    ['(', ['(z)']],
    ['été', ['Été']],
    ['t', []],
  ])('q=%s suggests the terms one of whose words begins with it', async (q, expected) => {
    const suggestions = await edges.suggest([
      ['field', 'label'],
      ['q', q],
    ])
    expect(suggestions.map((s) => s.text).sort()).toEqual(expected)
  })

  test('suggestions of a text are its tokens, each with the number of its documents', async () => {
    const tally = new Map<string, number>()
    for (const d of documents) {
      for (const token of new Set(d.text.flatMap(tokensOf))) tally.set(token, (tally.get(token) ?? 0) + 1)
    }
    const sorted = [...tally].sort(([a, x], [b, y]) => y - x || compareCodePoints(a, b))
    for (const q of ['', 'a', 'AL', 'alp', 'é', '1', 'b', '東', 'x_']) {
      const suggestions = await several.suggest([
        ['field', 'text'],
        ['size', 100],
        ...(q === '' ? [] : [['q', q] as const]),
      ])
      const wanted = sorted.filter(([token]) => token.startsWith(q.toLowerCase()))
      expect(suggestions.map((s) => [s.text, s.count])).toEqual(wanted)
    }
  })
})
