import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { filterQuery } from '../conformance/filter-vectors.ts'
import { type Hits, idsOf } from '../conformance/hits.ts'
import { describeEach, type EngineUnderTest, engines } from '../support/engines.ts'
import { call, withQuery } from '../support/http-client.ts'
import type { RunningServer } from '../support/running-server.ts'
import { plainDocumentsFor } from './documents-for.ts'
import { type Clause, scalarClause } from './oracle/clauses.ts'
import { idOf, type RandomDocument } from './oracle/documents.ts'
import { fullText, type Words } from './oracle/full-text.ts'
import { apartGeoClause, geoClause } from './oracle/geo-clauses.ts'
import { compareCodePoints } from './oracle/texts.ts'
import { loadArrangedDocuments, loadRandom, tryWithin } from './random-index.ts'

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

/** Hits compared one by one; of larger results the total and the beginning count. */
const PAGE = 300

interface Amount {
  readonly amount: string
  /** A state of storage that only the embedded engine has. */
  readonly embeddedOnly?: boolean
  readonly load: (server: RunningServer, engine: EngineUnderTest) => Promise<readonly RandomDocument[]>
  /** Runs by kind of clause: values, areas, both. */
  readonly runs: readonly [number, number, number]
}

const amounts: readonly Amount[] = [
  {
    amount: 'few',
    load: ({ base }, engine) => loadRandom(plainDocumentsFor(engine), base, 'random', 150),
    runs: [200, 200, 80],
  },
  {
    amount: 'arranged',
    embeddedOnly: true,
    load: (server) => loadArrangedDocuments(server, 'random', false),
    runs: [30, 20, 10],
  },
  {
    amount: 'arranged and new',
    embeddedOnly: true,
    load: (server) => loadArrangedDocuments(server, 'random', true),
    runs: [30, 20, 10],
  },
]
const cases = engines.flatMap((engine) =>
  amounts
    .filter(({ embeddedOnly }) => embeddedOnly !== true || engine.name === 'embedded')
    .map((amount) => ({ ...amount, ...engine })),
)

describeEach(cases)('filters agree with a plain evaluation, $amount documents on the $name engine', (engine) => {
  let server: RunningServer
  let documents: readonly RandomDocument[]
  beforeAll(async () => {
    server = await engine.start()
    documents = await engine.load(server, engine)
  })
  afterAll(() => server?.stop())

  const areaClause = engine.exactBorders ? geoClause : apartGeoClause

  /** The ids a question finds, in the order of the ids; the requests by GET and POST must agree. */
  async function found(asked: Question): Promise<Hits> {
    const filter = filterOf(asked)
    const body = { filter, page: { size: PAGE }, projection: { includes: 'id' } }
    const post = await call(server.base, { method: 'POST', path: '/explore/random/_search', body })
    expect(post.status, `${JSON.stringify(filter)} ${post.text}`).toBe(200)
    const hits = post.json() as Hits
    expect(hits.hits.length).toBe(Math.min(hits.totalnb, PAGE))
    if (fitsGet(asked)) {
      const get = await call(server.base, { path: withQuery('/explore/random/_count', filterQuery(filter)) })
      expect(get.status, get.text).toBe(200)
      expect((get.json() as Hits).totalnb, 'GET _count').toBe(hits.totalnb)
    }
    return hits
  }

  async function agree(asked: Question): Promise<void> {
    const kept = documents.filter((d) => keeps(asked, d)).sort((a, b) => compareCodePoints(a.id, b.id))
    const hits = await found(asked)
    const got = idsOf(hits)
    if (hits.totalnb <= PAGE) {
      const [wanted, given] = [new Set<unknown>(kept.map((d) => d.id)), new Set(got)]
      const wrong = documents.filter((d) => wanted.has(d.id) !== given.has(d.id)).slice(0, 3)
      const shown = wrong.map((d) => ({ document: d.wire, expected: wanted.has(d.id) }))
      expect(shown, JSON.stringify(filterOf(asked))).toEqual([])
    }
    expect(hits.totalnb).toBe(kept.length)
    expect(got).toEqual(kept.slice(0, PAGE).map((d) => d.id))
  }

  test('documents by their id', async () => {
    for (const n of [0, 1, 2, 3, 99, 120, 149, 10_199, 10_299, 20_000]) {
      const answer = await call(server.base, { path: `/explore/random/${encodeURIComponent(idOf(n))}` })
      const expected = documents.some((d) => d.id === idOf(n)) ? 200 : 404
      expect(answer.status, `${idOf(n)}: ${answer.text}`).toBe(expected)
    }
  })

  test('full text', async () => {
    const words = fc.array(fc.array(fullText, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 2 })
    await tryWithin(words, (q) => agree({ f: [], q }), engine.runs[2], 20_000 * engine.share)
  })

  test.each([
    ['values, dates and texts', scalarClause, engine.runs[0]],
    ['areas', areaClause, engine.runs[1]],
    ['everything together', fc.oneof(scalarClause, areaClause), engine.runs[2]],
  ] as const)('%s', async (_, clause, runs) => {
    await tryWithin(question(clause), agree, runs, 20_000 * engine.share)
  })
})
