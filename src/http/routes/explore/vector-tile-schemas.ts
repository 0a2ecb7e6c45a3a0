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
      description: 'Documents of the layer hits; as many as tiles.maxElements if not given.',
    }),
  ),
  include: Type.Optional(
    Type.String({
      description: 'Comma-separated patterns of the fields hits have beside id and timestamp; none if not given.',
      examples: ['params.job'],
    }),
  ),
  layers: Type.Optional(
    Type.String({ default: 'hits,cells,meta', description: 'The layers wanted.', examples: ['cells,meta'] }),
  ),
  interval: Type.Optional(
    Type.Integer({
      minimum: 0,
      default: 5,
      description: 'Zooms that the cells lie below their tile; bounded by limits.geotileDepth.',
    }),
  ),
  cells: Type.Optional(
    Type.Union([Type.Literal('polygons'), Type.Literal('centers')], {
      default: 'polygons',
      description: 'Whether cells are squares or the points in their middle.',
    }),
  ),
  agg: Type.Optional(
    Type.String({
      description: 'A geotile aggregation without interval: the field of the cells, and figures for each.',
      examples: ['geotile:geo_params.centroid:collect_field-params.age:collect_fct-avg'],
    }),
  ),
  ...cacheParameter,
}

export const vectorTile = {
  tags,
  operationId: 'getVectorTile',
  summary: 'A vector tile of the documents',
  description:
    'Mapbox Vector Tile 2.1, extent 4096, buffer 64. Layers: `hits` (documents whose geometry, or else centroid, meets ' +
    'the tile), `cells` (documents counted in the cells of a grid) and `meta` (what is in the tile, and whether that is ' +
    'all). 204 when the layers asked for are empty; `meta` never is.',
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
    204: Type.Null({ description: 'The layers asked for are empty.' }),
  },
}

export const tileJson = {
  tags,
  operationId: 'getTileJson',
  summary: 'Where the vector tiles are, for map clients',
  description:
    'TileJSON 3.0. The address of the tiles keeps the parameters of this request, so a filtered map is one address.',
  params: Type.Object({ collection }),
  querystring: Type.Object({ ...tileParameters, ...prettyParameter }),
  response: { 200: TileJson },
}
