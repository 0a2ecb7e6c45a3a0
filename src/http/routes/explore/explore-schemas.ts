import { type TSchema, Type } from 'typebox'
import { CollectionReferenceDescription } from '../../../model/description.ts'
import { CountedHits, FeatureCollection, Hit, Hits } from '../../../model/responses.ts'
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
        'The form of the answer; it counts more than the Accept header. Files hold everything that matches, unless size is given.',
    }),
  ),
  spreadsheet: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Of csv: whether cells that a spreadsheet would run as formulas (they begin with = + - @, tab or carriage ' +
        'return, and are no numbers) get an apostrophe in front.',
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
  description: 'Every collection the caller may see whose index exists, in the order of creation.',
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
    'A page of the documents that match, with links to the pages beside it when the sort ends with the id ' +
    '(`links.next`, `links.previous`).',
  params,
  querystring: documentsQuery,
  response: { 200: inForms(Hits, ['atom', ...files]) },
}

export const searchPost = {
  tags,
  operationId: 'searchDocumentsPost',
  summary: 'Search documents, with a body',
  description: 'The same as the GET form. Links carry the body that gives the page.',
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
    'One feature per document, or with returned_geometries one per geometry asked for. With flat=true the property ' +
    '`md` is a text.',
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
    'Documents whose centroid lies in the web-mercator tile; every point lies in exactly one tile of a zoom.',
  params: Type.Object({
    ...collectionName,
    z: Type.Integer({ minimum: 0, maximum: 28, description: 'Zoom.' }),
    x: Type.Integer({ minimum: 0, maximum: 268435455, description: 'Column, from the west.' }),
    y: Type.Integer({ minimum: 0, maximum: 268435455, description: 'Row, from the north.' }),
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

export const document = {
  tags,
  operationId: 'getDocument',
  summary: 'Read one document',
  params: Type.Object({
    ...collectionName,
    identifier: Type.String({ description: 'The value of id_path; percent-encode a slash as %2F.' }),
  }),
  querystring: Type.Object({ ...prettyParameter, ...flatParameter, ...cacheParameter }),
  response: { 200: Hit },
}
