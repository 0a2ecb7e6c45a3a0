import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeEach } from '../support/engines.ts'
import { must, withQuery } from '../support/http-client.ts'
import type { RunningServer } from '../support/running-server.ts'
import { documents } from './dataset.ts'
import { decodedQuery } from './decoded-query.ts'
import { type Hits, idsOf } from './hits.ts'
import { sampleLayouts } from './sample-layouts.ts'

test('the documents are those of the specification', () => {
  const lines = documents().map((d) => `${JSON.stringify(d)}\n`)
  const hash = createHash('sha256').update(lines.join('')).digest('hex')
  expect(hash).toBe('4c539d7f4dfe351d473baceb6beee77e94ffb4cb83cd4a7bfaea0ae526aa8db0')
})

const jobs = {
  'Cost Estimator': 64,
  Coder: 62,
  Dancer: 62,
  Actor: 59,
  Announcers: 58,
  Archeologists: 58,
  Architect: 58,
  'Brain Scientist': 58,
  Chemist: 58,
  Coach: 58,
}
const countries = {
  Argentina: 60,
  Armenia: 60,
  Aruba: 58,
  Barbuda: 58,
  Antigua: 54,
  Australia: 54,
  Afghanistan: 51,
  Albania: 50,
  Algeria: 50,
  Andorra: 50,
  Angola: 50,
}
const tokens = {
  search: 595,
  the: 595,
  word: 595,
  ice: 117,
  jellybean: 64,
  chocolate: 62,
  donut: 62,
  cream: 59,
  brownie: 58,
  bubble: 58,
  candy: 58,
  cookie: 58,
  cupcake: 58,
}

const rows = [
  ...Object.entries(jobs).map(([job, n]) => [`f=params.job:eq:${job}`, n] as const),
  ...Object.entries(countries).map(([country, n]) => [`f=params.country:eq:${country}`, n] as const),
  ...Object.entries(tokens).map(([token, n]) => [`f=text_search:eq:${token}`, n] as const),
  ['f=params.weight:gte:-12600', 271],
  ['f=params.weight:lt:-12600;params.weight:gt:16200', 0],
  ['f=params.age:range:[0<13600]', 595],
  ['f=geo_params.centroid:within:-170,-80,170,80', 595],
  ['f=params.city:eq:Paris', 59],
] as const

/** Spec 6.4. */
describeEach(sampleLayouts)('check totals, $name', (layout) => {
  let server: RunningServer
  beforeAll(async () => {
    server = await layout.engine.start()
    await layout.load(server.base)
  })
  afterAll(() => server?.stop())

  test.each(rows)('%s has %d documents', async (query, expected) => {
    const path = withQuery('/explore/geodata/_count', decodedQuery(query))
    expect(await must(server.base, { path })).toMatchObject({ totalnb: expected })
  })

  test.each([
    ['params.startdate', 'ID__170__80DI', 763600],
    ['-params.startdate', 'ID_170_80DI', 1263600],
  ])('the first by %s is %s', async (sort, id, timestamp) => {
    const path = withQuery('/explore/geodata/_search', [
      ['sort', sort],
      ['size', 1],
    ])
    const hits = (await must(server.base, { path })) as Hits
    expect(idsOf(hits)).toEqual([id])
    expect(hits.hits[0]?.md.timestamp).toBe(timestamp)
  })
})
