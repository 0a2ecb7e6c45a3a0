import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../model/json/document.ts'
import { beginsWord } from '../../../query/text/word-starts.ts'
import { clusterUnderTest } from '../cluster-under-test.fixture.ts'
import { wordStartPattern } from '../condition/word-start-pattern.ts'
import { dropTestIndices, makeTestIndex } from '../test-index.fixture.ts'
import { compareTerms, frequentTerms, type Term } from './frequent-terms.ts'

const PER_DOCUMENT = 100

/**
 * Lists of terms, each in two documents. The pattern of the cluster cannot exclude them although `écode` is one word.
 */
const lookalikes = (number: number): readonly string[] =>
  Array.from({ length: number }, (_, i) => `é${i % 2 === 0 ? 'code' : 'CODE'} ${i}`)

function twice(path: string, terms: readonly string[]): readonly JsonObject[] {
  const lists = Array.from({ length: Math.ceil(terms.length / PER_DOCUMENT) }, (_, i) =>
    terms.slice(i * PER_DOCUMENT, (i + 1) * PER_DOCUMENT),
  )
  return [...lists, ...lists].map((list) => ({ [path]: list }))
}

const RARE = ['Code 1', 'a code', 'x-code 2']
const rarely = (path: string): readonly JsonObject[] => [{ [path]: RARE }]

/** 12,000 terms, of which a shard returns 10,000. */
const scattered: readonly JsonObject[] = Array.from({ length: 400 }, (_, i) => ({
  scattered: Array.from({ length: PER_DOCUMENT }, (_, j) => `Term ${(i * 37 + j * j * 101 + j) % 12_000}`),
}))

const documents = [
  ...twice('some', lookalikes(1500)),
  ...rarely('some'),
  ...twice('many', lookalikes(10_500)),
  ...rarely('many'),
  ...scattered,
]

describe('the most frequent terms', () => {
  const context = clusterUnderTest()
  const indices: string[] = []

  beforeAll(async () => {
    const properties = Object.fromEntries(['some', 'many', 'scattered'].map((path) => [path, { type: 'keyword' }]))
    indices.push(await makeTestIndex(context, 'frequent-terms', properties, documents, 1))
    indices.push(await makeTestIndex(context, 'frequent-terms', properties, documents, 3))
  })
  afterAll(() => dropTestIndices(context, indices))

  const ask = (index: string | undefined, path: string, prefix: string, size: number): Promise<readonly Term[]> =>
    frequentTerms(context, {
      indices: [index ?? ''],
      query: { match_all: {} },
      path,
      ...(prefix === '' ? {} : { pattern: wordStartPattern(prefix) }),
      isWanted: (text) => beginsWord(text, prefix),
      size,
    })

  const expected = (path: string, prefix: string): readonly Term[] => {
    const counts = new Map<string, number>()
    for (const document of documents) {
      for (const text of new Set(document[path] as readonly string[] | undefined)) {
        if (beginsWord(text, prefix)) counts.set(text, (counts.get(text) ?? 0) + 1)
      }
    }
    return [...counts].map(([text, count]) => ({ text, count })).sort(compareTerms)
  }

  it.each(['some', 'many'])('are found behind those that only look alike, %s', async (path) => {
    for (const index of indices) {
      expect(await ask(index, path, 'code', 10)).toEqual(RARE.map((text) => ({ text, count: 1 })))
      expect(await ask(index, path, 'écode', 3)).toEqual(expected(path, 'écode').slice(0, 3))
    }
  })

  it('are all found when all are wanted', async () => {
    for (const index of indices) {
      expect(await ask(index, 'many', '', 20_000)).toEqual(expected('many', ''))
      expect(await ask(index, 'some', '', 1200)).toEqual(expected('some', '').slice(0, 1200))
    }
  })

  it('are counted in all shards', async () => {
    const counts = new Map(expected('scattered', 'term').map(({ text, count }) => [text, count]))
    const found = await ask(indices[1], 'scattered', 'term', 1000)
    expect(found).toHaveLength(1000)
    expect(found).toEqual(found.map(({ text }) => ({ text, count: counts.get(text) })))
    expect(found).toEqual(found.toSorted(compareTerms))
    expect(await ask(indices[0], 'scattered', 'term', 1000)).toEqual(expected('scattered', 'term').slice(0, 1000))
  })
})
