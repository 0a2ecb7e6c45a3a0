import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { JsonObject } from '../../src/model/json/document.ts'
import { compileEvaluator } from '../../src/query/evaluate/predicate-evaluator.ts'
import { resolveSelection } from '../../src/query/request/effective-query.ts'
import { indexInfo, limits, NOW } from '../../src/query/request/sample-collection.fixture.ts'
import { compilePatterns } from '../../src/query/schema/field-pattern.ts'
import { indexFields } from '../../src/query/schema/index-fields.ts'
import { schemaOf } from '../../src/query/schema/schema.ts'
import { type Hits, idsOf } from '../conformance/hits.ts'
import { describeEach, engines } from '../support/engines.ts'
import { call } from '../support/http-client.ts'
import type { RunningServer } from '../support/running-server.ts'
import { plainDocumentsFor } from './documents-for.ts'
import { scalarClause } from './oracle/clauses.ts'
import { collection, mapping, type RandomDocument } from './oracle/documents.ts'
import { fullText } from './oracle/full-text.ts'
import { apartGeoClause, geoClause } from './oracle/geo-clauses.ts'
import { loadRandom, tryWithin } from './random-index.ts'

const COUNT = 150

describeEach(engines)('the evaluator and the $name engine', (engine) => {
  let server: RunningServer
  let documents: readonly RandomDocument[]
  beforeAll(async () => {
    server = await engine.start()
    documents = await loadRandom(plainDocumentsFor(engine), server.base, 'random', COUNT)
  })
  afterAll(() => server?.stop())

  const clause = fc.oneof(scalarClause, engine.exactBorders ? geoClause : apartGeoClause)
  const filters = fc.record({
    f: fc.array(fc.array(clause, { minLength: 1, maxLength: 3 }), { maxLength: 2 }),
    q: fc.array(fc.array(fullText, { minLength: 1, maxLength: 2 }), { maxLength: 1 }),
  })
  const info = indexInfo('random', JSON.parse(JSON.stringify(mapping)))
  const view = {
    reference: { collection_name: 'random', params: collection },
    schema: schemaOf([info]),
    hidden: compilePatterns(undefined),
  }

  test('find the same documents', async () => {
    await tryWithin(
      filters,
      async ({ f, q }) => {
        const filter = {
          f: f.map((group) => group.map(({ field, op, value }) => ({ field, op, value }))),
          q: q.map((group) => group.map(({ text }) => text)),
        }
        const body = { filter, page: { size: COUNT }, projection: { includes: 'id' } }
        const answer = await call(server.base, { method: 'POST', path: '/explore/random/_search', body })
        expect(answer.status, answer.text).toBe(200)
        const context = { collection: view, access: {}, limits, now: NOW, origin: 'body' } as const
        const { holds } = compileEvaluator(resolveSelection({ filter }, context), indexFields(info.mapping))
        const held = documents.filter(({ wire }) => holds(wire as JsonObject)).map(({ id }) => id)
        expect(new Set(idsOf(answer.json() as Hits)), JSON.stringify(filter)).toEqual(new Set(held))
      },
      200,
      20_000 * engine.share,
    )
  })
})
