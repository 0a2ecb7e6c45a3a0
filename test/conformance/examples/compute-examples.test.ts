import { afterAll, beforeAll, expect, test } from 'vitest'
import { differences } from '../../properties/oracle/matchers.ts'
import { tolerant } from '../../properties/tolerant-answer.ts'
import { describeEach } from '../../support/engines.ts'
import { call, withQuery } from '../../support/http-client.ts'
import type { RunningServer } from '../../support/running-server.ts'
import { decodedQuery, filterBody } from '../decoded-query.ts'
import { sampleLayouts } from '../sample-layouts.ts'
import { computeExamples } from './aggregation-examples.ts'

/** The table of exploration 5.9. */
describeEach(sampleLayouts)('figures, $name', (layout) => {
  let server: RunningServer
  beforeAll(async () => {
    server = await layout.engine.start()
    await layout.load(server.base)
  })
  afterAll(() => server?.stop())

  test.each(computeExamples)('_compute?%s', async (query, expected) => {
    const parameters = decodedQuery(query)
    const { field, metric } = Object.fromEntries(parameters)
    const body = { field, metric, filter: filterBody(parameters) }
    const answers = [
      await call(server.base, { path: withQuery('/explore/geodata/_compute', parameters) }),
      await call(server.base, { method: 'POST', path: '/explore/geodata/_compute', body }),
    ]
    for (const answer of answers) {
      if (typeof expected === 'string') expect(answer.json()).toMatchObject({ status: 400, error: expected })
      else {
        const { query_time, total_time, ...figure } = answer.json() as Readonly<Record<string, unknown>>
        expect([query_time, total_time]).toEqual([expect.any(Number), expect.any(Number)])
        if (layout.engine.exactBorders) expect(figure).toEqual(expected)
        else expect(differences(tolerant(expected), figure)).toEqual([])
      }
    }
  })
})
