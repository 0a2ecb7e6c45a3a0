import { greatCircle } from '../../src/geo/distance.ts'
import type { Boat } from './elasticsearch-documents.ts'

const has = (title: string) => (boat: Boat) => boat.title.toLowerCase().includes(title)
const inBox = ({ place: { lon, lat } }: Boat, west: number, south: number, east: number, north: number): boolean =>
  lon >= west && lon <= east && lat >= south && lat <= north
const levelOf = ({ level }: Boat): number => level ?? Number.NaN

/** Queries, and which documents match. */
export const queries: readonly (readonly [object, (boat: Boat) => boolean])[] = [
  [{ match_all: {} }, () => true],
  [{ match_none: {} }, () => false],
  [{ term: { kind: 'ship' } }, ({ kind }) => kind === 'ship'],
  [{ term: { kind: { value: 'PLANE', case_insensitive: true } } }, ({ kind }) => kind === 'Plane'],
  [{ term: { 'part.on': true } }, ({ part }) => part.on],
  [{ term: { 'part.n': { value: 3, boost: 2 } } }, ({ part }) => part.n === 3],
  [{ term: { title: 'fox' } }, has('fox')],
  [{ term: { title: 'Fox' } }, () => false],
  [{ term: { address: '10.0.0.7' } }, ({ address }) => address === '10.0.0.7'],
  [{ term: { seen: '2024-01-31' } }, ({ seen }) => seen.startsWith('2024-01-31')],
  [{ term: { none: 1 } }, () => false],
  [{ term: { _id: 'b07' } }, ({ _id }) => _id === 'b07'],
  [{ terms: { kind: ['ship', 'buoy', 'other'], boost: 1 } }, ({ kind }) => kind !== 'Plane'],
  [{ terms: { large: [3, '4', 99] } }, ({ large }) => large === 3 || large === 4],
  [{ terms: { kind: [] } }, () => false],
  [{ ids: { values: ['b01', 'b02', 'none'] } }, ({ _id }) => _id === 'b01' || _id === 'b02'],
  [{ range: { level: { gte: 0, lt: 10.5 } } }, (boat) => levelOf(boat) >= 0 && levelOf(boat) < 10.5],
  [{ range: { level: { from: 0, to: 10, include_upper: false } } }, (b) => levelOf(b) >= 0 && levelOf(b) < 10],
  [{ range: { 'part.n': { gt: '2' } } }, ({ part }) => part.n > 2],
  [{ range: { seen: { gte: '2024-01-31', lte: '2024-01-31' } } }, ({ seen }) => seen.startsWith('2024-01-31')],
  [{ range: { seen: { gt: '2024-01-31' } } }, ({ seen }) => seen >= '2024-02-01'],
  [{ range: { seen: { gte: '2024-01-31||+1d/d', lt: 'now' } } }, ({ seen }) => seen >= '2024-02-01'],
  [{ range: { seen: { gte: '31/01/2024', format: 'dd/MM/yyyy' } } }, ({ seen }) => seen >= '2024-01-31'],
  [{ range: { kind: { gte: 'b', lt: 's' } } }, ({ kind }) => kind === 'buoy'],
  [{ exists: { field: 'level' } }, ({ level }) => level !== undefined],
  [{ exists: { field: 'part' } }, () => true],
  [{ exists: { field: 'none' } }, () => false],
  [{ prefix: { kind: 'sh' } }, ({ kind }) => kind === 'ship'],
  [{ prefix: { kind: { value: 'pl', case_insensitive: true } } }, ({ kind }) => kind === 'Plane'],
  [{ wildcard: { kind: '?u*y' } }, ({ kind }) => kind === 'buoy'],
  [{ wildcard: { kind: { value: 'p*N?', case_insensitive: true } } }, ({ kind }) => kind === 'Plane'],
  [{ regexp: { kind: 's[a-h]i(p|x)' } }, ({ kind }) => kind === 'ship'],
  [{ fuzzy: { kind: 'shjp' } }, ({ kind }) => kind === 'ship'],
  [{ match: { title: 'Fox dog' } }, () => true],
  [{ match: { title: { query: 'brown fox', operator: 'AND' } } }, has('fox')],
  [{ match: { title: { query: 'quick brown cat', minimum_should_match: '67%' } } }, has('quick')],
  [{ match: { title: { query: 'lasy', fuzziness: 'AUTO' } } }, has('lazy')],
  [{ match: { kind: 'ship' } }, ({ kind }) => kind === 'ship'],
  [{ match: { 'part.n': '4' } }, ({ part }) => part.n === 4],
  [{ match_phrase: { title: 'quick brown' } }, has('quick brown')],
  [{ match_phrase: { title: { query: 'quick fox', slop: 1 } } }, has('fox')],
  [{ match_phrase: { title: 'brown quick' } }, () => false],
  [{ match_phrase_prefix: { title: 'lazy bro' } }, has('lazy')],
  [{ multi_match: { query: 'ship', fields: ['ti*', 'kind^3'] } }, ({ kind }) => kind === 'ship'],
  [{ multi_match: { query: 'lazy brown', type: 'phrase', fields: ['title'] } }, has('lazy')],
  [{ query_string: { query: 'kind:ship AND title:(fox OR cat)' } }, (b) => b.kind === 'ship' && has('fox')(b)],
  [{ query_string: { query: 'kind:ship -title:fox' } }, (b) => b.kind === 'ship' && !has('fox')(b)],
  [{ query_string: { query: 'NOT kind:ship' } }, ({ kind }) => kind !== 'ship'],
  [{ query_string: { query: '+kind:ship title:nothing' } }, ({ kind }) => kind === 'ship'],
  [{ query_string: { query: 'large:[3 TO 5} OR large:>=58' } }, ({ large }) => [3, 4, 58, 59].includes(large)],
  [{ query_string: { query: '_exists_:level && "lazy brown"' } }, (b) => b.level !== undefined && has('lazy')(b)],
  [{ query_string: { query: 'kind:bu?y || kind:Pl*' } }, ({ kind }) => kind !== 'ship'],
  [{ query_string: { query: 'seen:[2024-01-31 TO *]' } }, ({ seen }) => seen >= '2024-01-31'],
  [{ query_string: { query: '*:*' } }, () => true],
  [{ query_string: { query: 'quick fox', default_field: 'title', default_operator: 'AND' } }, has('fox')],
  [{ query_string: { query: 'kind:/s.*p/' } }, ({ kind }) => kind === 'ship'],
  [{ simple_query_string: { query: 'fox | dog', fields: ['title'] } }, () => true],
  [{ simple_query_string: { query: 'quick -dog', fields: ['title'], default_operator: 'and' } }, has('quick')],
  [
    {
      bool: {
        must: { term: { kind: 'ship' } },
        filter: [{ range: { large: { gt: 20 } } }],
        must_not: { exists: { field: 'level' } },
      },
    },
    ({ kind, large, level }) => kind === 'ship' && large > 20 && level === undefined,
  ],
  [{ bool: {} }, () => true],
  [{ bool: { must: { match_all: {} }, should: { term: { kind: 'ship' } } } }, () => true],
  [
    { bool: { should: [{ term: { kind: 'ship' } }, { term: { large: 0 } }] } },
    (b) => b.kind === 'ship' || b.large === 0,
  ],
  [
    {
      bool: {
        should: [{ term: { kind: 'ship' } }, { term: { tags: 'red' } }, { term: { 'part.on': true } }],
        minimum_should_match: 2,
      },
    },
    ({ kind, tags, part }) => [kind === 'ship', tags.includes('red'), part.on].filter(Boolean).length >= 2,
  ],
  [{ constant_score: { filter: { term: { tags: 'green' } } } }, ({ tags }) => tags.includes('green')],
  [
    { dis_max: { queries: [{ term: { large: 1 } }, { term: { large: 2 } }] } },
    ({ large }) => large === 1 || large === 2,
  ],
  [
    { geo_bounding_box: { place: { top_left: { lat: 5, lon: -31 }, bottom_right: { lat: -5, lon: -9 } } } },
    (b) => inBox(b, -31, -5, -9, 5),
  ],
  [
    { geo_bounding_box: { place: { top: 5.2, left: -31, bottom: -5, right: -9 }, ignore_unmapped: true } },
    (b) => inBox(b, -31, -5, -9, 5.2),
  ],
  [{ geo_bounding_box: { place: { wkt: 'BBOX (-31, -9, 5.2, -5)' } } }, (b) => inBox(b, -31, -5, -9, 5.2)],
  [
    { geo_distance: { distance: '1234.5km', place: [1, 1] } },
    ({ place: { lon, lat } }) => greatCircle(1, 1, lon, lat) < 1_234_500,
  ],
  [
    { geo_polygon: { place: { points: [[-31, -5], '-5,-9', { lat: 5.2, lon: -9 }, [-31, 5.2]] } } },
    (b) => inBox(b, -31, -5, -9, 5.2),
  ],
  [
    {
      geo_shape: {
        place: {
          shape: {
            type: 'envelope',
            coordinates: [
              [-31, 5.2],
              [-9, -5],
            ],
          },
          relation: 'within',
        },
      },
    },
    (b) => inBox(b, -31, -5, -9, 5.2),
  ],
  [
    { geo_shape: { shape: { shape: 'POLYGON((-31 -5,-9 -5,-9 5.2,-31 5.2,-31 -5))', relation: 'disjoint' } } },
    ({ place: { lon, lat } }) => !(lon <= -9 && lon + 2 >= -31 && lat <= 5.2 && lat + 2 >= -5),
  ],
  [
    { geo_shape: { shape: { shape: { type: 'Point', coordinates: [-28.5, -1.5] }, relation: 'contains' } } },
    ({ place: { lon, lat } }) => lon <= -28.5 && lon + 2 >= -28.5 && lat <= -1.5 && lat + 2 >= -1.5,
  ],
]

/** Bodies of searches that are refused, and the member that the message names. */
export const refused: readonly (readonly [object, string])[] = [
  [{ query: { more_like_this: { like: 'x' } } }, 'query.more_like_this'],
  [{ query: { bool: { must: [{ term: { kind: 'a' } }, { nested: {} }] } } }, 'query.bool.must[1].nested'],
  [{ query: { bool: { must_be: [] } } }, 'query.bool.must_be'],
  [{ query: { term: { kind: { value: 'a', fast: true } } } }, 'query.term.kind.fast'],
  [{ query: { term: { 'part.n': 'many' } } }, 'query.term.part.n'],
  [{ query: { range: { seen: { gte: 'soon' } } } }, 'query.range.seen.gte'],
  [{ query: { term: { kind: 'a' }, match_all: {} } }, 'query'],
  [{ query: { regexp: { kind: 'a~b' } } }, 'query.regexp.kind'],
  [{ query: { query_string: { query: '(kind:a' } } }, 'query.query_string.query'],
  [{ query: { geo_distance: { distance: 'far', place: [0, 0] } } }, 'query.geo_distance.distance'],
  [{ query: { geo_distance: { distance: '1km', kind: [0, 0] } } }, 'query.geo_distance.kind'],
  [{ query: { match: { _type: 'a' } } }, 'query.match._type'],
  [{ highlight: {} }, 'highlight'],
  [{ sort: [{ kind: { order: 'up' } }] }, 'sort[0].kind.order'],
  [{ sort: 'title' }, 'sort[0]'],
  [{ sort: ['kind'], search_after: [] }, 'search_after'],
  [{ size: -1 }, 'size'],
  [{ aggs: { a: { percentiles: { field: 'level' } } } }, 'aggs.a.percentiles'],
  [{ aggs: { a: { terms: { field: 'title' } } } }, 'aggs.a.terms.field'],
  [{ aggs: { a: { terms: { field: 'kind', exclude: 'b' } } } }, 'aggs.a.terms.exclude'],
  [{ aggs: { a: { avg: { field: 'level' }, aggs: { b: { min: { field: 'level' } } } } } }, 'aggs.a.aggs'],
  [{ aggs: { a: { date_histogram: { field: 'seen' } } } }, 'aggs.a.date_histogram'],
]
