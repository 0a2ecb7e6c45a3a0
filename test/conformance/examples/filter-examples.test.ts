import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeEach } from '../../support/engines.ts'
import { call, withQuery } from '../../support/http-client.ts'
import type { RunningServer } from '../../support/running-server.ts'
import { decodedQuery, filterBody } from '../decoded-query.ts'
import { sampleLayouts } from '../sample-layouts.ts'
import { borderExamples, furtherExamples, righthandExamples, workedExamples } from './worked-examples.ts'

describeEach(sampleLayouts)('filters, $name', (layout) => {
  let server: RunningServer
  beforeAll(async () => {
    server = await layout.engine.start()
    await layout.load(server.base)
  })
  afterAll(() => server?.stop())

  async function outcome(path: string, method: string, body?: unknown): Promise<unknown> {
    const answer = await call(server.base, { method, path, body })
    const json = answer.json() as Readonly<Record<string, unknown>>
    return answer.status === 200 ? json.totalnb : `${answer.status} ${String(json.error)}`
  }

  test.each([
    ...workedExamples,
    ...furtherExamples,
    ...righthandExamples,
    ...(layout.engine.exactBorders ? borderExamples : []),
  ])('%s gives %s', async (query, expected) => {
    const parameters = decodedQuery(query)
    expect(await outcome(withQuery('/explore/geodata/_count', parameters), 'GET'), 'GET _count').toBe(expected)
    expect(await outcome(withQuery('/explore/geodata/_search', parameters), 'GET'), 'GET _search').toBe(expected)
    const filter = filterBody(parameters)
    expect(await outcome('/explore/geodata/_count', 'POST', { filter }), 'POST _count').toBe(expected)
    expect(await outcome('/explore/geodata/_search', 'POST', { filter }), 'POST _search').toBe(expected)
  })

  test('entries of partitionFilter are alternatives beside the filter', async () => {
    const job = (op: string, value: string) => ({ f: [[{ field: 'params.job', op, value }]] })
    const body = { partitionFilter: [job('eq', 'Actor'), job('eq', 'Coach')], filter: job('ne', 'Coach') }
    expect(await outcome('/explore/geodata/_count', 'POST', body)).toBe(59)
  })

  test("the collection's own filter holds for every operation", async () => {
    expect(await outcome('/explore/geodata_actor/_count', 'GET')).toBe(59)
    const query = decodedQuery('f=params.job:eq:Announcers')
    const answer = await call(server.base, { path: withQuery('/explore/geodata_actor/_count', query) })
    expect(answer.json()).toEqual({ collection: 'geodata_actor', nbhits: 0, totalnb: 0 })
  })
})
