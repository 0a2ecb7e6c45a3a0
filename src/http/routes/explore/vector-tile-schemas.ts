import { Type } from 'typebox'
import { TileJson } from '../../../model/tilejson.ts'
import { cacheParameter, filterParameters, pageParameters, prettyParameter } from '../explore-parameters.ts'
import * as files from './file-schemas.ts'

/** OpenAPI descriptions of the vector tile routes. */

const { tags } = files.tile
const { collection } = files.tile.params.properties

const tileParameters = {
  ...filterParameters,
  ...pageParameters,
  size: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'Maximum number of documents in the layer hits. Default: tiles.maxElements.',
    }),
  ),
  include: Type.Optional(
    Type.String({
      description: 'Comma-separated patterns of the fields of hits, in addition to id and timestamp. Default: none.',
      examples: ['params.job'],
    }),
  ),
  layers: Type.Optional(
    Type.String({
      default: 'hits,cells,meta',
      description: 'Comma-separated layers to return.',
      examples: ['cells,meta'],
    }),
  ),
  interval: Type.Optional(
    Type.Integer({
      minimum: 0,
      default: 5,
      description: 'Number of zoom levels between the tile and its cells, up to limits.geotileDepth.',
    }),
  ),
  cells: Type.Optional(
    Type.Union([Type.Literal('polygons'), Type.Literal('centers')], {
      default: 'polygons',
      description: 'Geometry of the cells: squares, or their centre points.',
    }),
  ),
  agg: Type.Optional(
    Type.String({
      description: 'A geotile aggregation without interval, which selects the field and metrics of the cells.',
      examples: ['geotile:geo_params.centroid:collect_field-params.age:collect_fct-avg'],
    }),
  ),
  ...cacheParameter,
}

export const vectorTile = {
  tags,
  operationId: 'getVectorTile',
  summary: 'Get a vector tile',
  description:
    'Mapbox Vector Tile 2.1, extent 4096, buffer 64. Layers: `hits` (documents whose geometry, or centroid if there is ' +
    'none, intersects the tile), `cells` (number of documents per cell of a grid) and `meta` (content of the tile, and ' +
    'whether it is complete). 204 if the requested layers are empty; `meta` is never empty.',
  params: files.tile.params,
  querystring: Type.Object(tileParameters),
  response: {
    200: {
      description: 'The tile.',
      content: {
        'application/vnd.mapbox-vector-tile': { schema: Type.String({ format: 'binary' }) },
        'application/x-protobuf': { schema: Type.String({ format: 'binary' }) },
      },
    },
    204: Type.Null({ description: 'The requested layers are empty.' }),
  },
}

export const tileJson = {
  tags,
  operationId: 'getTileJson',
  summary: 'Get the TileJSON of the vector tiles',
  description:
    'TileJSON 3.0, for map clients. The URL of the tiles contains the query parameters of this request, such as filters.',
  params: Type.Object({ collection }),
  querystring: Type.Object({ ...tileParameters, ...prettyParameter }),
  response: { 200: TileJson },
}
