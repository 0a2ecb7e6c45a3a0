import { type TObject, Type } from 'typebox'
import { cacheParameter, collectionName, filterParameters, pageParameters } from '../explore-parameters.ts'
import * as aggregations from './aggregation-schemas.ts'
import * as explore from './explore-schemas.ts'

/** OpenAPI descriptions of the routes that return files. They have the parameters of their JSON counterparts. */

const zip = {
  description:
    'A zip with one shapefile for each kind of geometry, and `column_mapping.txt`, which says what the short names of ' +
    'the columns stand for; only `README.txt` when there is no feature.',
  content: { 'application/zip': { schema: Type.String({ format: 'binary' }) } },
}

/** These routes have no `format` parameter. */
const asShapefile = <T extends { querystring: TObject }>(json: T, operationId: string, summary: string) => ({
  ...json,
  operationId,
  summary,
  querystring: Type.Object(
    Object.fromEntries(Object.entries(json.querystring.properties).filter(([name]) => name !== 'format')),
  ),
  description: 'The flat features of the JSON form, in the same order, as shapefiles.',
  response: { 200: zip },
})

export const shapesearch = asShapefile(explore.geosearch, 'searchShapefile', 'Search documents as a shapefile')
export const shapesearchPost = asShapefile(
  explore.geosearchPost,
  'searchShapefilePost',
  'Search documents as a shapefile, with a body',
)
export const shapeaggregate = asShapefile(
  aggregations.geoaggregate,
  'aggregateShapefile',
  'Gather documents into buckets, as a shapefile',
)
export const shapeaggregatePost = asShapefile(
  aggregations.geoaggregatePost,
  'aggregateShapefilePost',
  'Gather documents into buckets, as a shapefile, with a body',
)

const { z, x, y } = explore.geosearchTile.params.properties

export const tile = {
  tags: explore.describe.tags,
  operationId: 'getTilePicture',
  summary: 'A picture of the documents of a tile',
  description:
    'Composed of the images that raster_tile_url of the collection leads to, the first document on top, until enough ' +
    'is painted; without raster_tile_url the places of the documents are drawn. Without any document: 204.',
  params: Type.Object({ ...collectionName, z, x, y }),
  querystring: Type.Object({
    ...filterParameters,
    ...pageParameters,
    sampling: Type.Optional(
      Type.Integer({
        minimum: 1,
        default: 10,
        description: 'Every so many pixels are looked at to tell what is painted.',
      }),
    ),
    coverage: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, default: 70, description: 'Percent painted that is enough.' }),
    ),
    ...cacheParameter,
  }),
  response: {
    200: { description: 'The picture.', content: { 'image/png': { schema: Type.String({ format: 'binary' }) } } },
    204: Type.Null({ description: 'There is nothing to see.' }),
  },
}

export const searchDescription = {
  tags: explore.describe.tags,
  operationId: 'getSearchDescription',
  summary: 'How to search a collection, for OpenSearch clients',
  description: 'An OpenSearch 1.1 description: templates of searches by text, place and every field.',
  params: explore.describe.params,
  querystring: Type.Object(cacheParameter),
  response: {
    200: {
      description: 'The description document.',
      content: {
        'application/xml': { schema: Type.String() },
        'application/opensearchdescription+xml': { schema: Type.String() },
      },
    },
  },
}
