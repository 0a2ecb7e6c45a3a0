import { Type } from 'typebox'
import { geometryFilterSchemas } from '../../model/geometry-filters.ts'

/** Query and path parameters of the explore operations as schemas, for the OpenAPI document (spec 5.1). */

export const collectionName = { collection: Type.String({ description: 'Name of the collection.' }) }

export const filterParameters = {
  f: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'A triplet `field:operator:value`, or several joined with `;` of which one must hold. ' +
        'Several parameters must all hold. Operators: eq, ne, like, gte, gt, lte, lt, range, within, notwithin, ' +
        'intersects, notintersects. `$timestamp` stands for the timestamp field.',
      examples: [['params.job:eq:Actor,Coach', 'geo_params.centroid:within:-20,-20,30,30']],
    }),
  ),
  q: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'Text to look for, or `field:text`. Alternatives are joined with `;`; several parameters must all hold.',
      examples: [['fullname:My name is']],
    }),
  ),
  dateformat: Type.Optional(
    Type.String({ description: 'Pattern of the dates in f, like `dd-MM-yyyy`; without it they are ms since 1970.' }),
  ),
  righthand: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'Whether a counter-clockwise WKT polygon is taken as drawn; a clockwise one is then its complement.',
    }),
  ),
  ...geometryFilterSchemas,
}

export const prettyParameter = {
  pretty: Type.Optional(Type.Boolean({ default: false, description: 'Indents the answer.' })),
}

export const flatParameter = {
  flat: Type.Optional(Type.Boolean({ default: false, description: 'Joins nested keys with `_` to one level.' })),
}

export const cacheParameter = {
  'max-age-cache': Type.Optional(
    Type.Integer({ minimum: 0, description: 'Seconds the answer may be cached, for the Cache-Control header.' }),
  ),
}

const projectionParameters = {
  include: Type.Optional(
    Type.String({
      description: 'Comma-separated patterns of the fields to return, beside the four paths of the collection.',
      examples: ['params.job,geo_params'],
    }),
  ),
  exclude: Type.Optional(Type.String({ description: 'Comma-separated patterns of fields to leave out.' })),
  returned_geometries: Type.Optional(
    Type.String({ description: 'Comma-separated paths of the geometries to return.' }),
  ),
}

export const pageParameters = {
  size: Type.Optional(
    Type.Integer({ minimum: 1, default: 10, description: 'Hits of a page; bounded by limits.size.' }),
  ),
  from: Type.Optional(Type.Integer({ minimum: 0, default: 0, description: 'Hits to skip.' })),
  sort: Type.Optional(
    Type.String({
      description:
        'Comma-separated fields, `-field` for descending, and at most one `geodistance:{lat} {lon}`. ' +
        'Ties are broken by the id.',
      examples: ['-params.startdate,id'],
    }),
  ),
  after: Type.Optional(
    Type.String({
      description: 'Values of the sort fields of a hit: the page begins after it. The last sort field must be the id.',
    }),
  ),
  before: Type.Optional(Type.String({ description: 'Values of the sort fields of a hit: the page ends before it.' })),
}

export const searchParameters = {
  ...filterParameters,
  ...prettyParameter,
  ...flatParameter,
  ...projectionParameters,
  ...pageParameters,
  ...cacheParameter,
}

/** Query parameters of a POST; everything else comes from the body (spec 1.2.5). */
export const postParameters = { ...prettyParameter, ...flatParameter, ...cacheParameter }
