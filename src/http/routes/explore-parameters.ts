import { Type } from 'typebox'
import { geometryFilterSchemas } from '../../model/geometry-filters.ts'

/** Query and path parameters of the explore operations as schemas, for the OpenAPI document (spec 5.1). */

export const collectionName = { collection: Type.String({ description: 'Name of the collection.' }) }

export const profileParameter = {
  profile: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'true: the response header `Periplus-Profile` tells how the engine answered: the path, the rows it looked at ' +
        'at most, and times. 403 for callers with a narrowed view.',
    }),
  ),
}

export const filterParameters = {
  f: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'A triplet `field:operator:value`, or alternatives joined with `;`, of which at least one must match. ' +
        'Several parameters must all match. Operators: eq, ne, like, gte, gt, lte, lt, range, within, notwithin, ' +
        'intersects, notintersects. `$timestamp` is the timestamp field.',
      examples: [['params.job:eq:Actor,Coach', 'geo_params.centroid:within:-20,-20,30,30']],
    }),
  ),
  q: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'Text to search for, or `field:text`. Alternatives are joined with `;`. Several parameters must all match.',
      examples: [['fullname:My name is']],
    }),
  ),
  dateformat: Type.Optional(
    Type.String({ description: 'Pattern of the dates in f, such as `dd-MM-yyyy`. Default: milliseconds since 1970.' }),
  ),
  righthand: Type.Optional(
    Type.Boolean({
      default: true,
      description:
        'true: a counter-clockwise WKT ring selects its inside, a clockwise one its outside. false: the reverse.',
    }),
  ),
  ...geometryFilterSchemas,
  ...profileParameter,
  filter: Type.Optional(
    Type.String({
      description: 'A CQL2 expression. It must hold together with f and q.',
      examples: ["params.age > 30 AND params.job LIKE 'A%'"],
    }),
  ),
  'filter-lang': Type.Optional(
    Type.Enum(['cql2-text', 'cql2-json'], { default: 'cql2-text', description: 'Language of filter.' }),
  ),
}

export const prettyParameter = {
  pretty: Type.Optional(Type.Boolean({ default: false, description: 'Indent the response.' })),
}

export const flatParameter = {
  flat: Type.Optional(Type.Boolean({ default: false, description: 'Flatten nested keys, joined with `_`.' })),
}

export const cacheParameter = {
  'max-age-cache': Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'Value of max-age in the Cache-Control header of the response, in seconds.',
    }),
  ),
}

const projectionParameters = {
  include: Type.Optional(
    Type.String({
      description: 'Comma-separated patterns of the fields to return, in addition to the four paths of the collection.',
      examples: ['params.job,geo_params'],
    }),
  ),
  exclude: Type.Optional(Type.String({ description: 'Comma-separated patterns of the fields to exclude.' })),
  returned_geometries: Type.Optional(
    Type.String({ description: 'Comma-separated paths of the geometries to return.' }),
  ),
}

export const pageParameters = {
  size: Type.Optional(
    Type.Integer({ minimum: 1, default: 10, description: 'Number of hits per page, up to limits.size.' }),
  ),
  from: Type.Optional(Type.Integer({ minimum: 0, default: 0, description: 'Number of hits to skip.' })),
  sort: Type.Optional(
    Type.String({
      description:
        'Comma-separated fields, `-field` for descending order, and at most one `geodistance:{lat} {lon}`. ' +
        'Ties are ordered by id.',
      examples: ['-params.startdate,id'],
    }),
  ),
  after: Type.Optional(
    Type.String({
      description:
        'Values of the sort fields of a hit. The page starts after this hit. The last sort field must be the id.',
    }),
  ),
  before: Type.Optional(
    Type.String({ description: 'Values of the sort fields of a hit. The page ends before this hit.' }),
  ),
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
export const postParameters = { ...profileParameter, ...prettyParameter, ...flatParameter, ...cacheParameter }
