import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunningServer } from '../support/engines.ts'
import { call, withQuery } from '../support/http-client.ts'
import { decodedQuery, filterBody } from './decoded-query.ts'
import { sampleLayouts } from './sample-layouts.ts'

/** Spec 3.12: a query and its total, or the status and code of its refusal. */
const examples: readonly (readonly [string, number | string])[] = [
  ['', 595],
  ['f=params.job:eq:Actor', 59],
  ['f=params.job:eq:Actor,Announcers', 117],
  ['f=params.job:eq:Actor;params.job:eq:Announcers', 117],
  ['f=params.job:eq:Actor&f=params.job:eq:Announcers', 0],
  ['f=params.job:eq:Actor:Announcers', 0],
  ['f=params.job:ne:Actor,Announcers', 478],
  ['f=params.job:eq:actor', 0],
  ['f=params.job:like:cto', 59],
  ['f=params.job:like:o.*r', 243],
  ['f=params.job:like:^Co(ach|der)$', 120],
  ['f=params.age:like:1', '400 INVALID_FILTER'],
  ['f=text_search:like:ice', 117],
  ['f=text_search:like:the word', 595],
  ['f=text_search:like:brown&f=params.startdate:range:[840000<915200]', 13],
  ['f=text_search:eq:Ice cream', 117],
  ['f=params.age:eq:400,600', 28],
  ['f=params.age:range:]100<400]', 28],
  ['f=params.age:range:[100<400[', 20],
  ['f=params.age:eq:old', '400 INVALID_FILTER'],
  ['f=params.weight:gte:0', 180],
  ['f=params.weight:ne:0', 574],
  ['f=params.foo:eq:1', 0],
  ['f=params.foo:ne:1', 595],
  ['f=params.job:range:[Ac<An]', 59],
  ['f=params.job:range:[Coa<Cod],[Ac<An]', 117],
  ['f=params.startdate:lte:775000', 3],
  ['f=params.startdate:lte:775000||/s', 3],
  ['f=$timestamp:range:[0<775000]', 3],
  ['f=$timestamp:range:[0<775000||-3s/s[', 2],
  ['f=$timestamp:range:[780000||/m<780000||/m]', 43],
  ['f=params.startdate:lte:now-1M/y', 595],
  ['f=$timestamp:range:[0<765000],[770000<775000]', 3],
  ['f=params.startdate:range:[now<now+2M-1d/d]', 0],
  ['f=params.startdate:lte:01-01-1970 00:12:55&dateformat=dd-MM-yyyy HH:mm:ss', 3],
  ['f=params.startdate:lte:01-01-1970 00:12:55&dateformat=dd-MM-yyyy', '400 INVALID_FILTER'],
  ['f=params.startdate:range:[0<775000],', '400 INVALID_FILTER'],
  ['f=params.startdate:gte:775000.0', '400 INVALID_FILTER'],
  ['f=geo_params.centroid:within:-5,-5,5,5', 1],
  ['f=geo_params.centroid:within:5,-5,-5,5', 34],
  ['f=geo_params.centroid:within:POLYGON((-15 -15,15 -15,15 15,-15 15,-15 -15),(-5 -5,-5 5,5 5,5 -5,-5 -5))', 8],
  ['f=geo_params.geometry:within:POLYGON((-130 -2,-130 2,220 2,220 -2,-130 -2))&righthand=false', 33],
  ['f=geo_params.geometry:within:POLYGON((-130 -2,-130 2,220 2,220 -2,-130 -2))&righthand=true', 0],
  ['f=geo_params.geometry:intersects:LINESTRING(50 0,340 0)', 29],
  ['f=geo_params.geometry:intersects:-12,-12,12,12', 9],
  ['f=geo_params.geometry:within:-12,-12,12,12&f=geo_params.geometry:notwithin:-11,-11,11,11', 0],
  ['f=geo_params.centroid:notwithin:-170,-85,175,85', 0],
  ['f=geo_params.centroid:within:-5,5,5,-5', '400 INVALID_GEOMETRY'],
  ['f=params.job:within:-5,-5,5,5', '400 INVALID_FILTER'],
  ['f=geo_params.nope:notwithin:0,0,1,1', '404 FIELD_NOT_FOUND'],
  ['f=params.job:foo:x', '400 INVALID_FILTER'],
  ['f=params.startdate:eq:763600,771900', 2],
  ['f=$timestamp:eq:763600', 1],
  ['f=params.job:eq:Actor\\,Announcers', 0],
  ['f=params.job:like:Actor\\;x;params.job:like:Coach', 58],
  ['f=params:eq:x', '400 INVALID_FILTER'],
  ['f=params.not_indexed:eq:x', '400 INVALID_FILTER'],
  ['f=params.tags:eq:x', 0],
  ['f=params.job:eq', '400 INVALID_FILTER'],
  ['q=My name is', 595],
  ['q=fullname:My name:is', 0],
  ['q=400;600;800;1000', 68],
  ['q=400', 15],
  ['q=Actor', 59],
  ['q=actor', 0],
  ['q=Cost Estimator', 0],
  ['q="Cost Estimator"', 64],
  ['q=ice -cream', 58],
  ['q=candy | cookie', 116],
  ['q=text_search:"word ice"', 117],
  ['q=*_search:brown*', 58],
  ['q=jelybean~1', 64],
  ['q=fullname:My name is&q=foo', 0],
]

/** Rules of section 3 that the worked examples do not reach. */
const furtherExamples: typeof examples = [
  ['f=params.job:like:^', 595],
  ['f=params.job:like:$', 595],
  ['f=params.job:like:^$', 0],
  ['f=params.job:like:^()', 595],
  ['f=params.job:like:[^A-Za-z]', 122],
  ['f=params.job:like:(?i)actor', '400 INVALID_FILTER'],
  ['f=params.startdate:lte:9223372036854775807', 595],
  ['f=params.startdate:gt:9223372036854775807', 0],
  ['f=params.startdate:gte:-9223372036854775808', 595],
  ['f=params.startdate:eq:9223372036854775807', 0],
  ['f=params.startdate:ne:9223372036854775807', 595],
  ['f=params.startdate:lte:9223372036854775807||/d', '400 INVALID_FILTER'],
  ['f=params.age:eq:400.5', 0],
  ['f=params.age:ne:400.5', 595],
  ['f=params.age:eq:4e2', 12],
  ['f=params.age:gt:-1e300', 595],
  ['f=params.not_enabled:eq:x', '400 INVALID_FILTER'],
  ['f=params.not_enabled.a:ne:x', 595],
  ['f=params.job:eq:Actor&dateformat=YYYY', '400 INVALID_FILTER'],
  ['q=Paris', 0],
  ['q=params.city:Paris', 59],
  ['q=params.ci*:Paris', 0],
  ['q=params.job:Cost\\ Est*', 64],
  ['q=text_search:the\\ wo*', 0],
  ['q=candy | ice cream', 59],
  ['q=ice cream | candy', 117],
  ['q="search cream"~2', 0],
  ['q="search cream"~3', 59],
  ['q=Atcor~1', 59],
  ['q=params.not_enabled:x', '400 INVALID_FILTER'],
]

/** Documents on the very border of a WKT area: exact engines only. */
const borderExamples: typeof examples = [['f=geo_params.centroid:within:LINESTRING(-20 0,20 0)', 5]]

/** Spec 3.9, the table of areas: what each keeps of the grid of points. */
const righthandExamples: typeof examples = [
  ['f=geo_params.centroid:within:POLYGON((-2 -2,2 -2,2 2,-2 2,-2 -2))', 1],
  ['f=geo_params.centroid:within:POLYGON((-2 -2,2 -2,2 2,-2 2,-2 -2))&righthand=false', 34],
  ['f=geo_params.centroid:within:POLYGON((180 5,-165 5,-165 -5,180 -5,180 5))&righthand=false', 1],
  ['f=geo_params.centroid:within:POLYGON((-130 -2,-130 2,220 2,220 -2,-130 -2))&righthand=false', 35],
  ['f=geo_params.centroid:within:POLYGON((-131 -2,-131 2,221 2,221 -2,-131 -2))&righthand=true', 0],
  [
    'f=geo_params.centroid:within:POLYGON((180 90,-180 90,-180 -90,180 -90,180 90))&righthand=false',
    '400 INVALID_GEOMETRY',
  ],
]

describe.each(sampleLayouts)('filters, $name', (layout) => {
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
    ...examples,
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
