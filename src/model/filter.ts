import { type Static, Type } from 'typebox'
import { geometryFilterSchemas } from './geometry-filters.ts'
import { Text } from './text.ts'

export const operators = [
  'eq',
  'ne',
  'like',
  'gte',
  'gt',
  'lte',
  'lt',
  'range',
  'within',
  'notwithin',
  'intersects',
  'notintersects',
] as const
export type Operator = (typeof operators)[number]

/** One triplet of the filter language. All three members are required; the filter resolver throws INVALID_FILTER. */
export const Expression = Type.Object(
  { field: Type.Optional(Text()), op: Type.Optional(Text()), value: Type.Optional(Type.String()) },
  { $id: 'Expression', additionalProperties: false, 'x-documented': { required: ['field', 'op', 'value'] } },
)
export type Expression = Static<typeof Expression>

/** f and q: the outer array is AND, the inner array is OR (spec 3.1). GET parameters are converted to this form. */
export const Filter = Type.Object(
  {
    f: Type.Optional(Type.Array(Type.Array(Expression))),
    q: Type.Optional(Type.Array(Type.Array(Text()))),
    dateformat: Type.Optional(Text()),
    righthand: Type.Optional(Type.Boolean()),
    ...geometryFilterSchemas,
  },
  { $id: 'Filter', additionalProperties: false },
)
export type Filter = Static<typeof Filter>
