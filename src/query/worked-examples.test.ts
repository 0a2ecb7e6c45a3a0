import { describe, expect, test } from 'vitest'
import type { Filter } from '../model/filter.ts'
import { holds } from './evaluate.fixture.ts'
import { resolveFilter } from './filter-resolver.ts'
import { filterContext, plainView, sampleDocuments } from './sample-collection.fixture.ts'
import { parseTriplets } from './triplets.ts'

const documents = sampleDocuments()

/** Reads `f=...&f=...&q=...&dateformat=...` as printed in the specification, decoded. */
function filterOf(query: string): Filter {
  const parameters =
    query === '' ? [] : query.split('&').map((p) => [p.slice(0, p.indexOf('=')), p.slice(p.indexOf('=') + 1)])
  const all = (name: string): string[] => parameters.filter(([n]) => n === name).map(([, v]) => v ?? '')
  const [dateformat] = all('dateformat')
  const [righthand] = all('righthand')
  return {
    ...parseTriplets(all('f'), all('q')),
    ...(dateformat === undefined ? {} : { dateformat }),
    ...(righthand === undefined ? {} : { righthand: righthand === 'true' }),
  }
}

const count = (query: string): number => {
  const predicate = resolveFilter(filterOf(query), filterContext(plainView, 'f'))
  return documents.filter((d) => holds(predicate, d)).length
}

describe('worked examples (spec 3.12)', () => {
  test.each<[string, number]>([
    ['', 595],
    ['f=params.job:eq:Actor', 59],
    ['f=params.job:eq:Actor,Announcers', 117],
    ['f=params.job:eq:Actor;params.job:eq:Announcers', 117],
    ['f=params.job:eq:Actor&f=params.job:eq:Announcers', 0],
    ['f=params.job:eq:Actor:Announcers', 0],
    ['f=params.job:ne:Actor,Announcers', 478],
    ['f=params.job:eq:actor', 0],
    ['f=params.job:EQ:Actor', 59],
    ['f=params.job:like:cto', 59],
    ['f=params.job:like:o.*r', 243],
    ['f=params.job:like:^Co(ach|der)$', 120],
    ['f=text_search:like:ice', 117],
    ['f=text_search:like:the word', 595],
    ['f=text_search:like:brown&f=params.startdate:range:[840000<915200]', 13],
    ['f=text_search:eq:Ice cream', 117],
    ['f=text_search:ne:Ice', 478],
    ['f=text_search:eq:!', 0],
    ['f=text_search:like:!', 0],
    ['f=text_search:ne:!', 595],
    ['f=params.age:eq:400,600', 28],
    ['f=params.age:range:]100<400]', 28],
    ['f=params.age:range:[100<400[', 20],
    ['f=params.age:range:0<100,13000<14000', 59],
    ['f=params.age:range: 0 < 100 , [ 13000 < 14000 ]', 59],
    ['f=params.age:range:[100<10]', 0],
    ['f=params.age:range:]0<100[', 0],
    ['f=params.weight:gte:0', 180],
    ['f=params.weight:ne:0', 574],
    ['f=params.weight:lte:-5000', 33],
    ['f=params.weight:gte:-1e30', 271],
    ['f=params.age:eq:400.5', 0],
    ['f=params.age:ne:400.5', 595],
    ['f=params.foo:eq:1', 0],
    ['f=params.foo:ne:1', 595],
    ['f=params.foo:like:(', 0],
    ['f=params.foo:gt:x', 0],
    ['f=params.foo:range:[a<b]', 0],
    ['f=params.job:range:[Ac<An]', 59],
    ['f=params.job:range:[Coa<Cod],[Ac<An]', 117],
    ['f=params.job:range:[<An]', 59],
    ['f=params.job:range:[Z<]', 0],
    ['f=params.job:gte:Dancer', 62],
    ['f=params.job:gt:Dancer', 0],
    ['f=params.startdate:lte:775000', 3],
    ['f=params.startdate:lte:775000||/s', 3],
    ['f=$timestamp:range:[0<775000]', 3],
    ['f=$timestamp:range:[0<775000||-3s/s[', 2],
    ['f=$timestamp:range:[780000||/m<780000||/m]', 43],
    ['f=params.startdate:lte:now-1M/y', 595],
    ['f=$timestamp:range:[0<765000],[770000<775000]', 3],
    ['f=params.startdate:range:[now<now+2M-1d/d]', 0],
    ['f=params.startdate:lte:01-01-1970 00:12:55&dateformat=dd-MM-yyyy HH:mm:ss', 3],
    ['f=$timestamp:range:[01-01-1970 00:00:00<01-01-1970 00:12:55||-3s/s[&dateformat=dd-MM-yyyy HH:mm:ss', 2],
    ['f=params.startdate:range:[1970-01-01 00:20<1970-01-01 00:21[&dateformat=yyyy-MM-dd HH:mm', 20],
    ['f=params.startdate:range:[763600||+10s-2s<763600||+9s+200s]', 255],
    ['f=params.startdate:gte:763600||/m', 595],
    ['f=params.startdate:lte:780200||/m', 46],
    ['f=params.job:eq:Actor&dateformat=yyyy', 59],
    ['f=params.startdate:eq:763600,771900', 2],
    ['f=$timestamp:eq:763600', 1],
    ['f=params.job:eq:Actor\\,Announcers', 0],
    ['f=params.job:like:Actor\\;x;params.job:like:Coach', 58],
    ['f=params.tags:eq:x', 0],
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
    ['q=fullname:"name is"', 595],
    ['q=text_search:choc*', 62],
    ['q=text_search:Candy | Donut', 120],
    ['q=text_search:cndy~1', 58],
    ['q=ctor', 0],
    ['q=text_search:CANDY word', 58],
    ['q=text_search:Candy;text_search:Donut&q=params.job:Chemist', 58],
    ['q="Candy (', 58],
    ['q=(((', 0],
    ['q=text_search:-', 0],
    ['q=+ | ~ *', 0],
    ['q=text_search:"', 0],
    ['q=-text_search', 595],
    ['q=text_search:-ice', 478],
    // params.city is hidden: found by its name only.
    ['q=Paris', 0],
    ['q=params.city:Paris', 59],
    ['q=params.c*:Paris', 0],
    ['q=params.ci*:-Paris', 595],
    ['q=params.startdate:763600', 1],
    ['q=params.start*:763600', 1],
    ['q=763600', 0],
    ['q=params:Actor', 0],
    ['q=geo_params.centroid:0', 0],
    ['q=Act*', 59],
    ['q=act*', 0],
    ['q=Actr~1', 59],
    ['q="search word"~1', 595],
    ['q="search word"', 0],
    ['q="word search"~9', 0],
  ])('%s: %i', (query, expected) => {
    expect(count(query)).toBe(expected)
  })

  test.each<[string, number]>([
    ['f=geo_params.centroid:within:-5,-5,5,5', 1],
    ['f=geo_params.centroid:within:5,-5,-5,5', 34],
    ['f=geo_params.centroid:within:POLYGON((-15 -15,15 -15,15 15,-15 15,-15 -15),(-5 -5,-5 5,5 5,5 -5,-5 -5))', 8],
    ['f=geo_params.centroid:within:LINESTRING(-20 0,20 0)', 5],
    ['f=geo_params.geometry:within:POLYGON((-130 -2,-130 2,220 2,220 -2,-130 -2))&righthand=false', 33],
    ['f=geo_params.geometry:within:POLYGON((-130 -2,-130 2,220 2,220 -2,-130 -2))&righthand=true', 0],
    ['f=geo_params.geometry:intersects:LINESTRING(50 0,340 0)', 29],
    ['f=geo_params.geometry:intersects:-12,-12,12,12', 9],
    ['f=geo_params.geometry:within:-12,-12,12,12&f=geo_params.geometry:notwithin:-11,-11,11,11', 0],
    ['f=geo_params.centroid:notwithin:-170,-85,175,85', 0],
    ['f=geo_params.centroid:notintersects:-5,-5,5,5', 594],
    ['f=geo_params.wktgeometry:notwithin:-5,-5,5,5', 594],
  ])('%s: %i', (query, expected) => {
    expect(count(query)).toBe(expected)
  })

  test.each([
    ['f=params.age:like:1', 'INVALID_FILTER'],
    ['f=params.age:eq:old', 'INVALID_FILTER'],
    ['f=params.startdate:lte:01-01-1970 00:12:55&dateformat=dd-MM-yyyy', 'INVALID_FILTER'],
    ['f=params.startdate:range:[0<775000],', 'INVALID_FILTER'],
    ['f=params.startdate:gte:775000.0', 'INVALID_FILTER'],
    ['f=geo_params.centroid:within:-5,5,5,-5', 'INVALID_GEOMETRY'],
    ['f=params.job:within:-5,-5,5,5', 'INVALID_FILTER'],
    ['f=geo_params.nope:notwithin:0,0,1,1', 'FIELD_NOT_FOUND'],
    ['f=params.job:foo:x', 'INVALID_FILTER'],
    ['f=params:eq:x', 'INVALID_FILTER'],
    ['f=params.not_indexed:eq:x', 'INVALID_FILTER'],
    ['f=params.job:eq', 'INVALID_FILTER'],
    ['f=params.startdate:gte:now-', 'INVALID_FILTER'],
    ['f=params.startdate:range:[1970-01-01<1970-01-02]', 'INVALID_FILTER'],
    ['f=params.startdate:range:[<775000]', 'INVALID_FILTER'],
    ['f=params.startdate:range:[0<]', 'INVALID_FILTER'],
    ['f=params.age:range:[<10]', 'INVALID_FILTER'],
    ['f=params.age:range:[10<]', 'INVALID_FILTER'],
    ['f=params.age:range:[<]', 'INVALID_FILTER'],
  ])('%s: %s', (query, code) => {
    expect(() => count(query)).toThrow(expect.objectContaining({ code }))
  })
})
