import { type Static, Type } from 'typebox'
import { geometryFilterSchemas } from './geometry-filters.ts'
import type { JsonObject } from './json/document.ts'
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

/** A CQL2 expression. Its members are checked by the parser, which names the place of an error. */
const Cql2 = Type.Unsafe<string | boolean | JsonObject>({
  description: 'A CQL2 expression: an object in its JSON form (cql2-json), or a text (cql2-text).',
  anyOf: [{ type: 'string' }, { type: 'boolean' }, { type: 'object' }],
})

/** f and q: the outer array is AND, the inner array is OR (spec 3.1). GET parameters are converted to this form. */
export const Filter = Type.Object(
  {
    f: Type.Optional(Type.Array(Type.Array(Expression))),
    q: Type.Optional(Type.Array(Type.Array(Text()))),
    dateformat: Type.Optional(Text()),
    righthand: Type.Optional(Type.Boolean()),
    ...geometryFilterSchemas,
    cql2: Type.Optional(Cql2),
  },
  { $id: 'Filter', additionalProperties: false },
)
export type Filter = Static<typeof Filter>
