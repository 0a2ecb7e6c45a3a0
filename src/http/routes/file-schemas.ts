import { Type } from 'typebox'
import * as aggregations from './aggregation-schemas.ts'
import * as explore from './explore-schemas.ts'

/** What the OpenAPI document says about the routes that answer files: they take what their JSON counterparts take. */

const zip = {
  description:
    'A zip with one shapefile for each kind of geometry, and `column_mapping.txt`, which says what the short names of ' +
    'the columns stand for; only `README.txt` when there is no feature.',
  content: { 'application/zip': { schema: Type.String({ format: 'binary' }) } },
}

const asShapefile = <T extends { summary: string }>(json: T, summary: string) => ({
  ...json,
  summary,
  description: 'The flat features of the JSON form, in the same order, as shapefiles.',
  response: { 200: zip },
})

export const shapesearch = asShapefile(explore.geosearch, 'Search documents as a shapefile')
export const shapesearchPost = asShapefile(explore.geosearchPost, 'Search documents as a shapefile, with a body')
export const shapeaggregate = asShapefile(aggregations.geoaggregate, 'Gather documents into buckets, as a shapefile')
export const shapeaggregatePost = asShapefile(
  aggregations.geoaggregatePost,
  'Gather documents into buckets, as a shapefile, with a body',
)

export const searchDescription = {
  tags: explore.describe.tags,
  summary: 'How to search a collection, for OpenSearch clients',
  description: 'An OpenSearch 1.1 description: templates of searches by text, place and every field.',
  params: explore.describe.params,
  response: {
    200: {
      description: 'The description document.',
      content: { 'application/xml': { schema: Type.String() } },
    },
  },
}
