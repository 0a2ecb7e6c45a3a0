import { Type } from 'typebox'
import * as answers from '../../../model/answer/index-answers.ts'
import { prettyParameter } from '../explore-parameters.ts'
import { entry, existing, type Method, named } from './index-schemas.ts'

/** OpenAPI descriptions of search and count. The handlers validate requests. */

const text = (description: string) => Type.Optional(Type.String({ description }))
const any = (description: string) => Type.Optional(Type.Unknown({ description }))

const filterPath = { filter_path: text('Members of the answer to return, as paths with `*` and `**`.') }
const queryParameters = {
  q: text('Query in the syntax of Lucene. Applies together with `query`.'),
  df: text('Field of words of `q` without a field. Absent: all texts, keywords, numbers and dates.'),
  default_operator: Type.Optional(Type.Enum(['and', 'or', 'AND', 'OR'], { description: 'Joins the words of `q`.' })),
}

const query = Type.Optional(
  Type.Unsafe<object>({
    type: 'object',
    minProperties: 1,
    maxProperties: 1,
    description:
      'match_all, match_none, bool, constant_score, dis_max, ids, exists, term, terms, range, prefix, wildcard, ' +
      'regexp, fuzzy, match, match_phrase, match_phrase_prefix, multi_match, query_string, simple_query_string, ' +
      'geo_bounding_box, geo_distance, geo_polygon or geo_shape.',
    additionalProperties: true,
  }),
)

const Counted = Type.Object(
  { query },
  { $id: 'CountedDocuments', additionalProperties: false, examples: [{ query: { match_all: {} } }] },
)

const names = any('Names or patterns of fields.')
const aggregations = any(
  'terms, histogram, date_histogram, geohash_grid, geotile_grid, filter, filters, range, date_range, missing, min, ' +
    'max, avg, sum, stats, cardinality, value_count, geo_bounds and geo_centroid, also nested.',
)
const size = any('Maximum number of documents, 10 if absent, up to limits.size.')

const Searched = Type.Object(
  {
    query,
    post_filter: query,
    size,
    from: any('Number of documents to skip.'),
    sort: any('Fields, `_id`, `_score` or `_geo_distance`.'),
    search_after: Type.Optional(Type.Array(Type.Unknown(), { description: '`sort` of the last document before.' })),
    _source: any('What of the documents is returned: a boolean, patterns, or `includes` and `excludes`.'),
    fields: names,
    docvalue_fields: names,
    stored_fields: any('`_none_`: no documents.'),
    track_total_hits: any('false: without the total, which is always exact.'),
    version: any('true: with `_version`.'),
    aggs: aggregations,
    aggregations,
    timeout: any('Ignored.'),
    track_scores: any('Ignored.'),
    terminate_after: any('Ignored.'),
    seq_no_primary_term: any('Ignored.'),
    explain: any('Ignored.'),
    profile: any('Ignored.'),
    stats: any('Ignored.'),
    ext: any('Ignored.'),
  },
  {
    $id: 'SearchedDocuments',
    additionalProperties: false,
    examples: [{ query: { match_all: {} }, size: 5, sort: [{ _id: 'asc' }] }],
  },
)

export const count = (method: Method) =>
  entry(named('countIndex', method, 'GET'), 'Count documents of an index', answers.IndexCount, {
    params: existing,
    query: { ...queryParameters, ...filterPath, ...prettyParameter },
    ...(method === 'GET' ? {} : { body: Counted }),
  })

const boolean = (description: string) => Type.Optional(Type.Boolean({ description }))
const searchParameters = {
  ...queryParameters,
  size: Type.Optional(Type.Integer({ minimum: 0, default: 10, description: 'Instead of that of the body.' })),
  from: Type.Optional(Type.Integer({ minimum: 0, description: 'Instead of that of the body.' })),
  sort: text('Instead of that of the body: `field:desc,other`.'),
  _source: text('Instead of that of the body: true, false or patterns.'),
  _source_includes: text('Patterns of members to return.'),
  _source_excludes: text('Patterns of members to leave out.'),
  track_total_hits: text('Instead of that of the body.'),
  version: boolean('Instead of that of the body.'),
  rest_total_hits_as_int: boolean('`hits.total` is a number.'),
  typed_keys: boolean('Names of aggregations in the answer have their kind in front.'),
  ...filterPath,
  ...prettyParameter,
}

export const search = (method: Method) =>
  entry(named('searchIndex', method, 'GET'), 'Search an index in the language of Elasticsearch', answers.IndexHits, {
    params: existing,
    query: searchParameters,
    ...(method === 'GET' ? {} : { body: Searched }),
  })
