import { type Static, Type } from 'typebox'
import { Text } from '../../model/text.ts'
import { timeUnits } from './aggregate-items.ts'

const Names = Type.Array(Text())
/** A list, or its text as in a query. */
const NamesOrText = Type.Unsafe<string | readonly string[]>({ anyOf: [{ type: 'string' }, Names] })

const conditions = {
  collections: Type.Optional(NamesOrText),
  ids: Type.Optional(NamesOrText),
  bbox: Type.Optional(Type.Array(Type.Number())),
  intersects: Type.Optional(Type.Unsafe<unknown>({ type: 'object', description: 'A GeoJSON geometry.' })),
  datetime: Type.Optional(Text()),
  filter: Type.Optional(
    Type.Unsafe<unknown>({
      description: 'A CQL2 expression.',
      anyOf: [{ type: 'object' }, { type: 'string' }, { type: 'boolean' }],
    }),
  ),
  'filter-lang': Type.Optional(Type.Enum(['cql2-json', 'cql2-text'])),
  'filter-crs': Type.Optional(Text()),
  query: Type.Optional(
    Type.Unsafe<unknown>({ type: 'object', description: 'Operators and values by name of the property.' }),
  ),
  q: Type.Optional(NamesOrText),
}

/** Body of a search. */
export const StacSearchBody = Type.Object(
  {
    ...conditions,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 2147483647 })),
    sortby: Type.Optional(
      Type.Array(
        Type.Object(
          { field: Text(), direction: Type.Optional(Type.Enum(['asc', 'desc'])) },
          { additionalProperties: false },
        ),
      ),
    ),
    fields: Type.Optional(
      Type.Object(
        { include: Type.Optional(Names), exclude: Type.Optional(Names) },
        { additionalProperties: false, description: 'Paths of members of the items.' },
      ),
    ),
    token: Type.Optional(Text()),
  },
  { $id: 'StacSearch', additionalProperties: false },
)
export type StacSearchBody = Static<typeof StacSearchBody>

const precision = (maximum: number) => Type.Optional(Type.Integer({ minimum: 1, maximum }))

/** Body of an aggregation. */
export const StacAggregateBody = Type.Object(
  {
    ...conditions,
    aggregations: Type.Optional(Names),
    datetime_frequency_interval: Type.Optional(Type.Enum([...timeUnits])),
    geometry_geohash_grid_frequency_precision: precision(12),
    geometry_geotile_grid_frequency_precision: precision(29),
  },
  { $id: 'StacAggregation', additionalProperties: false },
)
export type StacAggregateBody = Static<typeof StacAggregateBody>
