import { type TSchema, Type } from 'typebox'
import { EVENT_ID } from '../../../explore/live/live-feed.ts'
import { CountedHits, FeatureCollection, Hit, Hits } from '../../../model/answer/responses.ts'
import { CollectionReferenceDescription } from '../../../model/description.ts'
import { Count, Search } from '../../../model/search.ts'
import { type FormatName, formats } from '../../request/response-format.ts'
import {
  cacheParameter,
  collectionName,
  filterParameters,
  flatParameter,
  postParameters,
  prettyParameter,
  searchParameters,
} from '../explore-parameters.ts'

/** OpenAPI descriptions of the explore routes. The operations validate requests. */

const tags = ['Explore']

const params = Type.Object(collectionName)

const formatParameter = (names: readonly FormatName[]) => ({
  format: Type.Optional(
    Type.Enum([...names], {
      description:
        'Format of the response. Overrides the Accept header. Files contain all matching documents unless size is given.',
    }),
  ),
  spreadsheet: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'For csv: put an apostrophe before cells that a spreadsheet would evaluate as formulas (cells that start with ' +
        '= + - @, tab or carriage return and are not numbers).',
    }),
  ),
})

const files: readonly FormatName[] = ['geojsonl', 'csv', 'geoparquet', 'flatgeobuf', 'shapefile']

const textual: readonly FormatName[] = ['atom', 'geojsonl', 'csv']

/** Content of a response that is JSON or a file in one of the formats. */
const inForms = (json: TSchema & { readonly description?: string }, names: readonly FormatName[]) => ({
  description: json.description,
  content: Object.fromEntries([
    [formats.json.type, { schema: json }],
    ...names.map((name) => [
      formats[name].type,
      { schema: textual.includes(name) ? Type.String() : Type.String({ format: 'binary' }) },
    ]),
  ]),
})

const searchQuery = Type.Object(searchParameters)
const documentsQuery = Type.Object({ ...searchParameters, ...formatParameter(['json', 'atom', ...files]) })
const featuresQuery = Type.Object({ ...searchParameters, ...formatParameter(['json', ...files]) })
const filesPostQuery = Type.Object({ ...postParameters, ...formatParameter(['json', ...files]) })
const countQuery = Type.Object({ ...filterParameters, ...prettyParameter, ...cacheParameter })
const postQuery = Type.Object(postParameters)
const plainQuery = Type.Object({ ...prettyParameter, ...cacheParameter })

const exampleFilter = {
  f: [[{ field: 'params.job', op: 'eq', value: 'Actor,Coach' }]],
  q: [['fullname:My name is']],
}

const searchBody = {
  ...Search,
  examples: [
    {
      filter: exampleFilter,
      page: { size: 20, sort: '-params.startdate,id' },
      projection: { includes: 'params.job' },
      form: { flat: true },
    },
  ],
}

export const list = {
  tags,
  operationId: 'listCollectionFields',
  summary: 'List the collections with their fields',
  description: 'All collections that the caller may see and whose index exists, in order of creation.',
  querystring: plainQuery,
  response: { 200: Type.Array(CollectionReferenceDescription, { description: 'The collections.' }) },
}

export const describe = {
  tags,
  operationId: 'describeCollection',
  summary: 'Describe the fields of a collection',
  params,
  querystring: plainQuery,
  response: { 200: CollectionReferenceDescription },
}

export const search = {
  tags,
  operationId: 'searchDocuments',
  summary: 'Search documents',
  description:
    'Returns a page of the matching documents. If sort ends with the id, the response has links to the adjacent pages ' +
    '(`links.next`, `links.previous`).',
  params,
  querystring: documentsQuery,
  response: { 200: inForms(Hits, ['atom', ...files]) },
}

export const searchPost = {
  tags,
  operationId: 'searchDocumentsPost',
  summary: 'Search documents, with a body',
  description: 'Same as GET. Links contain the request body of the page.',
  params,
  querystring: filesPostQuery,
  body: searchBody,
  response: { 200: inForms(Hits, files) },
}

export const geosearch = {
  tags,
  operationId: 'searchFeatures',
  summary: 'Search documents as GeoJSON features',
  description:
    'One feature per document, or per requested geometry with returned_geometries. With flat=true, the property ' +
    '`md` is a string.',
  params,
  querystring: featuresQuery,
  response: { 200: inForms(FeatureCollection, files) },
}

export const geosearchPost = {
  tags,
  operationId: 'searchFeaturesPost',
  summary: 'Search documents as GeoJSON features, with a body',
  params,
  querystring: filesPostQuery,
  body: searchBody,
  response: { 200: inForms(FeatureCollection, files) },
}

export const geosearchTile = {
  tags,
  operationId: 'searchFeaturesOfTile',
  summary: 'Search documents of a map tile as GeoJSON features',
  description:
    'Documents whose centroid is in the Web Mercator tile. Each point is in exactly one tile of a zoom level.',
  params: Type.Object({
    ...collectionName,
    z: Type.Integer({ minimum: 0, maximum: 28, description: 'Zoom level.' }),
    x: Type.Integer({ minimum: 0, maximum: 268435455, description: 'Column, counted from the west.' }),
    y: Type.Integer({ minimum: 0, maximum: 268435455, description: 'Row, counted from the north.' }),
  }),
  querystring: searchQuery,
  response: { 200: FeatureCollection },
}

export const count = {
  tags,
  operationId: 'countDocuments',
  summary: 'Count documents',
  params,
  querystring: countQuery,
  response: { 200: CountedHits },
}

export const countPost = {
  tags,
  operationId: 'countDocumentsPost',
  summary: 'Count documents, with a body',
  params,
  querystring: postQuery,
  body: { ...Count, examples: [{ filter: exampleFilter }] },
  response: { 200: CountedHits },
}

const LiveEvent = Type.Object({
  id: Type.String({ description: 'For `Last-Event-ID`.' }),
  event: Type.Enum(['state', 'change']),
  data: Type.String({ description: 'JSON.', examples: ['{"total":1707}'] }),
})

export const live = {
  tags,
  operationId: 'followDocuments',
  summary: 'Follow the changes of the matching documents',
  description:
    'Server-sent events. The first event is `state` with the number of matching documents (`total`). A `change` event ' +
    'follows when documents were written: `total`, the numbers of `inserted`, `updated` and `deleted` documents since ' +
    'the former event, the `extent` of the inserted and updated documents as [west, south, east, north], and their ' +
    '`newest` time. `complete` is false if more may have changed than this says. With the header `Last-Event-ID` the ' +
    'stream tells what was missed since that event. Events that the client does not read in time are merged.',
  params,
  querystring: Type.Object(filterParameters),
  headers: Type.Object({
    'last-event-id': Type.Optional(
      Type.String({ description: 'Id of the last event received, to resume.', pattern: EVENT_ID.source }),
    ),
  }),
  response: {
    200: { description: 'The events.', content: { 'text/event-stream': { schema: LiveEvent } } },
  },
}

export const document = {
  tags,
  operationId: 'getDocument',
  summary: 'Read one document',
  params: Type.Object({
    ...collectionName,
    identifier: Type.String({ description: 'The value of id_path. Encode a slash as %2F.' }),
  }),
  querystring: Type.Object({ ...prettyParameter, ...flatParameter, ...cacheParameter }),
  response: { 200: Hit },
}
