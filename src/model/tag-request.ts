import { type Static, Type } from 'typebox'
import { Filter } from './filter.ts'
import { Form, Search } from './search.ts'

/** Value of a tag: a JSON scalar. */
export type TagValue = string | number | boolean

/** The value is validated by the operation, which has its own messages; null counts as absent. */
export const Tag = Type.Object(
  { path: Type.Optional(Type.String()), value: Type.Optional(Type.Unknown()) },
  { $id: 'Tag', additionalProperties: false, 'x-documented': { required: ['path'] } },
)

export const Propagation = Type.Object(
  { field: Type.Optional(Type.String()), filter: Type.Optional(Filter) },
  { $id: 'Propagation', additionalProperties: false, 'x-documented': { required: ['field'] } },
)
export type Propagation = Static<typeof Propagation>

/** Body of `_tag` and `_untag`. */
export const TagRequest = Type.Object(
  {
    partitionFilter: Type.Optional(Type.Array(Filter)),
    filter: Type.Optional(Filter),
    form: Type.Optional(Form),
    search: Type.Optional(Search),
    tag: Type.Optional(Tag),
    propagation: Type.Optional(Propagation),
    label: Type.Optional(Type.String()),
  },
  { $id: 'TagRequest', additionalProperties: false, 'x-documented': { required: ['tag'] } },
)
export type TagRequest = Static<typeof TagRequest>

/** ADD adds a value to the field, REMOVE removes it, REMOVEALL removes all values. */
export type TagAction = 'ADD' | 'REMOVE' | 'REMOVEALL'
