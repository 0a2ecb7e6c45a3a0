import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { filterQuery } from '../conformance/filter-vectors.ts'
import { describeEach, engines } from '../support/engines.ts'
import { type Answer, call, withQuery } from '../support/http-client.ts'
import type { RunningServer } from '../support/running-server.ts'
import { bare, expectedAggregation, expectedInCell } from './oracle/aggregate.ts'
import { type AggregatedDocument, place } from './oracle/aggregated-documents.ts'
import { type Asked, isGrid, writeBody, writeText } from './oracle/aggregation-request.ts'
import { featuresOf, flatLevel } from './oracle/bucket-forms.ts'
import { TooManyBuckets } from './oracle/bucket-groups.ts'
import { type Clause, scalarClause } from './oracle/clauses.ts'
import { expectedFigure } from './oracle/compute.ts'
import { cellName, cellOfPoint, type SquareCell } from './oracle/grids.ts'
import { differences } from './oracle/matchers.ts'
import { anyTree } from './oracle/random-aggregations.ts'
import { documentsToAggregate, loadArranged, loadInTwoIndices, loadRandom, tryWithin } from './random-index.ts'

interface Question {
  readonly levels: readonly Asked[]
  readonly f: readonly Clause[]
  /** Rotates the parts of the text of a GET. */
  readonly turn: number
}

const filters = fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.array(scalarClause, { maxLength: 2 }))
const question: fc.Arbitrary<Question> = fc.record({ levels: anyTree, f: filters, turn: fc.nat(7) })

interface Located {
  readonly asked: Question
  readonly cell: SquareCell
  readonly flat: boolean
}

interface Computation {
  readonly field: string
  readonly metric: string
}

const computation: fc.Arbitrary<Computation> = fc.oneof(
  fc.record({
    field: fc.constantFrom('n', 'big', 'x', 'half', 'seen', 'day', 'at', 'nowhere'),
    metric: fc.constantFrom('AVG', 'MAX', 'MIN', 'SUM', 'SPANNING'),
  }),
  fc.record({
    field: fc.constantFrom('kw', 'deep.kw', 'ip', 'flag', 'n', 'x', 'seen', 'id', 'nowhere'),
    metric: fc.constant('CARDINALITY'),
  }),
  fc.record({
    field: fc.constantFrom('where', 'spot', 'area'),
    metric: fc.constantFrom('GEOBBOX', 'GEOCENTROID'),
  }),
)

/** Whether `_geoaggregate` takes the main aggregation. */
const isGeographic = ([main]: readonly Asked[]): boolean =>
  main !== undefined && (isGrid(main.type) || main.aggregated.length + main.raw.length > 0)

const filterOf = (f: readonly Clause[]) => ({ f: f.map(({ field, op, value }) => [{ field, op, value }]) })
const fitsGet = (f: readonly Clause[]): boolean => !f.some((c) => c.value.endsWith('\\'))
const rawPathsOf = (levels: readonly Asked[]): readonly (readonly string[])[] =>
  levels.map((l) => l.raw.map((r) => r.geometry))

/** Empty objects and nulls inside fetched documents do not matter. */
function withBareHits(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(withBareHits)
  if (typeof answer !== 'object' || answer === null) return answer
  return Object.fromEntries(Object.entries(answer).map(([k, v]) => [k, k === 'hits' ? bare(v) : withBareHits(v)]))
}

function withoutTimes(answer: unknown): unknown {
  const { query_time, total_time, ...rest } = answer as Readonly<Record<string, unknown>>
  expect([query_time, total_time]).toEqual([expect.any(Number), expect.any(Number)])
  return withBareHits(rest)
}

interface Amount {
  readonly amount: string
  readonly load: (server: RunningServer) => Promise<readonly AggregatedDocument[]>
  /** Runs of trees, of forms, of tile forms; milliseconds for each. */
  readonly runs: readonly [number, number, number]
  readonly ms: number
}

const kind = documentsToAggregate
const amounts: readonly Amount[] = [
  { amount: 'few', load: ({ base }) => loadRandom(kind, base, 'buckets', 150), runs: [150, 50, 120], ms: 4_000 },
  {
    amount: 'arranged',
    load: (s) => loadArranged(kind, s, 'buckets', false),
    runs: [20, 6, 14],
    ms: 2_500,
  },
  {
    amount: 'arranged and new',
    load: (s) => loadArranged(kind, s, 'buckets', true),
    runs: [20, 6, 14],
    ms: 2_500,
  },
  { amount: 'twice indexed', load: (s) => loadInTwoIndices(s, 'buckets'), runs: [20, 6, 14], ms: 2_500 },
]
/** Exact at every side of a cell; the suite that compares the engines asks clusters the same away from those. */
const cases = engines
  .filter(({ exactBorders }) => exactBorders)
  .flatMap((engine) => amounts.map((amount) => ({ ...amount, ...engine })))

describeEach(cases)('aggregations agree with a plain evaluation, $amount documents on the $name engine', (engine) => {
  let server: RunningServer
  let documents: readonly AggregatedDocument[]
  beforeAll(async () => {
    server = await engine.start()
    documents = await engine.load(server)
  })
  afterAll(() => server?.stop())

  const selected = (f: readonly Clause[]): AggregatedDocument[] => documents.filter((d) => f.every((c) => c.holds(d)))
  const post = (operation: string, { levels, f }: Question, flat = false): Promise<Answer> => {
    const body = { filter: filterOf(f), form: { flat }, aggregations: levels.map(writeBody) }
    return call(server.base, { method: 'POST', path: `/explore/buckets/${operation}`, body })
  }
  const get = (operation: string, { levels, f, turn }: Question, flat = false): Promise<Answer> => {
    const aggs = levels.map((l) => ['agg', writeText(l, turn)] as const)
    const query = [...aggs, ...filterQuery(filterOf(f)), ...(flat ? [['flat', 'true'] as const] : [])]
    return call(server.base, { path: withQuery(`/explore/buckets/${operation}`, query) })
  }
  const shown = ({ levels, f }: Question): string =>
    JSON.stringify({ agg: levels.map((l) => writeText(l)), ...filterOf(f) })

  /** Compares an answer with what is expected; where the oracle counts too many buckets, it must be refused. */
  function compare(asked: Question, answer: Answer, expect200: () => unknown, read: (json: unknown) => unknown): void {
    const what = `${shown(asked)} answered ${answer.status} ${answer.text.slice(0, 500)}`
    let expected: unknown
    try {
      expected = expect200()
    } catch (error) {
      if (!(error instanceof TooManyBuckets)) throw error
      expect(answer.json(), what).toMatchObject({ status: 400, error: 'LIMIT_EXCEEDED' })
      return
    }
    expect(answer.status, what).toBe(200)
    expect(differences(expected, read(answer.json())).slice(0, 5), shown(asked)).toEqual([])
  }

  test('_aggregate, by POST and by GET', async () => {
    const law = async (asked: Question): Promise<void> => {
      const expected = () => expectedAggregation(asked.levels, selected(asked.f))
      compare(asked, await post('_aggregate', asked), expected, withoutTimes)
      if (fitsGet(asked.f)) compare(asked, await get('_aggregate', asked), expected, withoutTimes)
    }
    await tryWithin(question, law, engine.runs[0], engine.ms)
  })

  test('_aggregate flat, _geoaggregate nested and flat', async () => {
    const law = async (asked: Question): Promise<void> => {
      const expected = () => expectedAggregation(asked.levels, selected(asked.f))
      compare(asked, await post('_aggregate', asked, true), () => flatLevel(expected()), withoutTimes)
      if (!isGeographic(asked.levels)) return
      const rawPaths = rawPathsOf(asked.levels)
      for (const flat of [false, true]) {
        const answer = await post('_geoaggregate', asked, flat)
        compare(asked, answer, () => featuresOf(expected(), { flat, rawPaths }), withBareHits)
      }
    }
    await tryWithin(question, law, engine.runs[1], engine.ms)
  })

  test('_compute', async () => {
    const asked = fc.tuple(computation, filters)
    const law = async ([{ field, metric }, f]: readonly [Computation, readonly Clause[]]): Promise<void> => {
      const answer = await call(server.base, {
        method: 'POST',
        path: '/explore/buckets/_compute',
        body: { field, metric, filter: filterOf(f) },
      })
      expect(answer.status, answer.text).toBe(200)
      const expected = expectedFigure(metric, field, selected(f))
      expect(differences(expected, withoutTimes(answer.json())), JSON.stringify(filterOf(f))).toEqual([])
    }
    await tryWithin(asked, law, engine.runs[0], engine.ms / 4)
  })

  /** A cell around a likely place, and aggregations that its tile form takes. */
  const located: fc.Arbitrary<Located> = fc
    .record({
      asked: question.filter((q) => isGeographic(q.levels)),
      where: place,
      grid: fc.constantFrom('geotile' as const, 'geohash' as const),
      level: fc.integer({ min: 0, max: 8 }),
      flat: fc.boolean(),
    })
    .map(({ asked, where, grid, level, flat }) => {
      const cell = cellOfPoint(grid, grid === 'geohash' ? (level % 4) + 1 : level, where) as SquareCell
      const levels = asked.levels.map((l) => {
        const value = l.interval?.value ?? 0
        return l.type === 'geotile' && grid === 'geotile' ? { ...l, interval: { value: level + (value % 7) } } : l
      })
      return { asked: { ...asked, levels, f: asked.f.filter((c) => fitsGet([c])) }, cell, flat }
    })
    // Of two grids, which cells share points is a question of edges; of several centroids, of rounding.
    .filter(({ asked: { levels }, cell }) => levels[0]?.field !== 'area' || levels[0].type === cell.grid)

  test('_geoaggregate of a tile or a geohash', async () => {
    const law = async ({ asked, cell, flat }: Located): Promise<void> => {
      const parent = cellName(cell)
      const answer = await get(`_geoaggregate/${parent}`, asked, flat)
      const form = { flat, parent, rawPaths: rawPathsOf(asked.levels) }
      const expected = () => featuresOf(expectedInCell(asked.levels, selected(asked.f), cell), form)
      compare(asked, answer, expected, withBareHits)
    }
    await tryWithin(located, law, engine.runs[2], engine.ms)
  })
})
