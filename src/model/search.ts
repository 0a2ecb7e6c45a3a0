import { type Static, Type } from 'typebox'
import { Filter } from './filter.ts'
import { Text } from './text.ts'

const int32 = { minimum: -2147483648, maximum: 2147483647 }

export const Form = Type.Object(
  { pretty: Type.Optional(Type.Boolean()), flat: Type.Optional(Type.Boolean()) },
  { $id: 'Form', additionalProperties: false },
)
export type Form = Static<typeof Form>

export const Page = Type.Object(
  {
    size: Type.Optional(Type.Integer(int32)),
    from: Type.Optional(Type.Integer(int32)),
    sort: Type.Optional(Text()),
    after: Type.Optional(Text()),
    before: Type.Optional(Text()),
  },
  { $id: 'Page', additionalProperties: false },
)
export type Page = Static<typeof Page>

export const Projection = Type.Object(
  { includes: Type.Optional(Text()), excludes: Type.Optional(Text()) },
  { $id: 'Projection', additionalProperties: false },
)
export type Projection = Static<typeof Projection>

/** Request of `_search` and `_geosearch`; GET parameters are converted to this form first. */
export const Search = Type.Object(
  {
    partitionFilter: Type.Optional(Type.Array(Filter)),
    filter: Type.Optional(Filter),
    form: Type.Optional(Form),
    page: Type.Optional(Page),
    projection: Type.Optional(Projection),
    returned_geometries: Type.Optional(Text()),
  },
  { $id: 'Search', additionalProperties: false },
)
export type Search = Static<typeof Search>

export const Count = Type.Object(
  {
    partitionFilter: Type.Optional(Type.Array(Filter)),
    filter: Type.Optional(Filter),
    form: Type.Optional(Form),
  },
  { $id: 'Count', additionalProperties: false },
)
export type Count = Static<typeof Count>
