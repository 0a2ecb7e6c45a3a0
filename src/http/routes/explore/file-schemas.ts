import { type TObject, Type } from 'typebox'
import { cacheParameter, collectionName, filterParameters, pageParameters } from '../explore-parameters.ts'
import * as aggregations from './aggregation-schemas.ts'
import * as explore from './explore-schemas.ts'

/** OpenAPI descriptions of the routes that return files. They have the parameters of their JSON counterparts. */

const zip = {
  description:
    'A zip archive with one shapefile per geometry type, and `column_mapping.txt`, which maps the short column names to ' +
    'field names. Contains only `README.txt` if there are no features.',
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
  description: 'The same features as the JSON operation with flat=true, in the same order, as shapefiles.',
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
  'Aggregate documents as a shapefile',
)
export const shapeaggregatePost = asShapefile(
  aggregations.geoaggregatePost,
  'aggregateShapefilePost',
  'Aggregate documents as a shapefile, with a body',
)

const { z, x, y } = explore.geosearchTile.params.properties

export const tile = {
  tags: explore.describe.tags,
  operationId: 'getTilePicture',
  summary: 'Render the documents of a tile as an image',
  description:
    'Composes the images at raster_tile_url of the collection, first document on top, until the coverage is reached. ' +
    'Without raster_tile_url, the locations of the documents are drawn. 204 if there are no documents.',
  params: Type.Object({ ...collectionName, z, x, y }),
  querystring: Type.Object({
    ...filterParameters,
    ...pageParameters,
    sampling: Type.Optional(
      Type.Integer({
        minimum: 1,
        default: 10,
        description: 'Distance in pixels between the samples that measure the coverage.',
      }),
    ),
    coverage: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        default: 70,
        description: 'Percentage of painted pixels at which composing stops.',
      }),
    ),
    ...cacheParameter,
  }),
  response: {
    200: { description: 'The image.', content: { 'image/png': { schema: Type.String({ format: 'binary' }) } } },
    204: Type.Null({ description: 'The tile contains no documents.' }),
  },
}

export const searchDescription = {
  tags: explore.describe.tags,
  operationId: 'getSearchDescription',
  summary: 'OpenSearch description of a collection',
  description:
    'An OpenSearch 1.1 description document with URL templates for searching by text, location and each field.',
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
