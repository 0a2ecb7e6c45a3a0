import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { filterQuery } from '../conformance/filter-vectors.ts'
import { type Hits, idsOf } from '../conformance/hits.ts'
import { engines, type RunningServer } from '../support/engines.ts'
import { call, withQuery } from '../support/http-client.ts'
import { type Clause, fullText, scalarClause, type Words } from './oracle/clauses.ts'
import type { RandomDocument } from './oracle/documents.ts'
import { geoClause } from './oracle/geo-clauses.ts'
import { compareCodePoints } from './oracle/texts.ts'
import { bounded, loadRandomDocuments } from './random-index.ts'

interface Question {
  readonly f: readonly (readonly Clause[])[]
  readonly q: readonly (readonly Words[])[]
}

const question = (clause: fc.Arbitrary<Clause>): fc.Arbitrary<Question> =>
  fc.record({
    f: fc.array(fc.array(clause, { minLength: 1, maxLength: 3 }), { maxLength: 3 }),
    q: fc.array(fc.array(fullText, { minLength: 1, maxLength: 2 }), { maxLength: 1 }),
  })

const filterOf = ({ f, q }: Question) => ({
  f: f.map((group) => group.map(({ field, op, value }) => ({ field, op, value }))),
  q: q.map((group) => group.map((words) => words.text)),
})

/** In a GET a piece cannot end with a backslash: the `;` after it would be taken as escaped. */
const fitsGet = ({ f }: Question): boolean =>
  f.every((group) => group.slice(0, -1).every((c) => !c.value.endsWith('\\')))

const keeps = ({ f, q }: Question, d: RandomDocument): boolean =>
  f.every((group) => group.some((c) => c.holds(d))) && q.every((group) => group.some((w) => w.holds(d)))

describe.each(engines)('filters agree with a plain evaluation on the $name engine', (engine) => {
  let server: RunningServer
  let documents: readonly RandomDocument[]
  beforeAll(async () => {
    server = await engine.start()
    documents = await loadRandomDocuments(server.base, 'random', 150)
  })
  afterAll(() => server?.stop())

  /** The ids a question finds, in the order of the ids; the requests by GET and POST must agree. */
  async function found(asked: Question): Promise<readonly unknown[]> {
    const filter = filterOf(asked)
    const body = { filter, page: { size: 1000 }, projection: { includes: 'id' } }
    const post = await call(server.base, { method: 'POST', path: '/explore/random/_search', body })
    expect(post.status, post.text).toBe(200)
    const hits = post.json() as Hits
    expect(hits.totalnb).toBe(hits.hits.length)
    if (fitsGet(asked)) {
      const get = await call(server.base, { path: withQuery('/explore/random/_count', filterQuery(filter)) })
      expect(get.status, get.text).toBe(200)
      expect((get.json() as Hits).totalnb, 'GET _count').toBe(hits.totalnb)
    }
    return idsOf(hits)
  }

  async function agree(asked: Question): Promise<void> {
    const expected = documents.filter((d) => keeps(asked, d)).map((d) => d.id)
    const got = await found(asked)
    const wrong = documents.filter((d) => expected.includes(d.id) !== got.includes(d.id))
    expect(
      wrong.map((d) => ({ document: d.wire, expected: expected.includes(d.id) })).slice(0, 3),
      JSON.stringify(filterOf(asked)),
    ).toEqual([])
    expect(got).toEqual(expected.sort(compareCodePoints))
  }

  test.each([
    ['values, dates and texts', scalarClause, 250],
    ['areas', geoClause, 250],
    ['everything together', fc.oneof(scalarClause, geoClause), 100],
  ] as const)('%s', { timeout: 120_000 }, async (_, clause, runs) => {
    await fc.assert(fc.asyncProperty(question(clause), agree), bounded(runs))
  })
})
