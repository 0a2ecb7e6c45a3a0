import { type Static, type TSchema, Type } from 'typebox'
import { CollectionReferenceParameters } from './collection.ts'
import { fieldTypes } from './field-type.ts'

/** Field types, and cluster types that are described under their own name but cannot be used (spec 2.1.4). */
const describedTypes = [
  ...fieldTypes,
  'BINARY',
  'INT_RANGE',
  'FLOAT_RANGE',
  'LONG_RANGE',
  'DOUBLE_RANGE',
  'DATE_RANGE',
  'COMPLETION',
  'TOKEN_COUNT',
  'MURMUR3',
] as const
export type DescribedType = (typeof describedTypes)[number]

/** One field of a collection, with its sub-tree (spec 5.12). */
export interface FieldDescription {
  readonly type: DescribedType
  readonly format?: string
  readonly hash_field?: string
  readonly properties?: FieldDescriptions
  readonly taggable: boolean
  readonly indexed: boolean
}
export type FieldDescriptions = Readonly<Record<string, FieldDescription>>

const description = (properties: TSchema) => ({
  type: 'object',
  required: ['type', 'taggable', 'indexed'],
  properties: {
    type: { type: 'string', enum: describedTypes },
    format: { type: 'string', description: 'Date formats, if the mapping defines them.' },
    hash_field: { type: 'string', description: 'Name of the sub-field that contains a hash of the value.' },
    properties,
    taggable: { type: 'boolean' },
    indexed: { type: 'boolean', description: 'false: the field can be returned, but not searched.' },
  },
})

/** The tree has unlimited depth; the printed schema shows only the first level. */
const FieldDescriptions = Type.Unsafe<FieldDescriptions>({
  type: 'object',
  description: 'Fields by name. OBJECT and NESTED fields have `properties` of the same form.',
  additionalProperties: description(Type.Unsafe({ type: 'object', additionalProperties: true })),
})

export const CollectionReferenceDescription = Type.Object(
  { collection_name: Type.String(), params: CollectionReferenceParameters, properties: FieldDescriptions },
  { $id: 'CollectionReferenceDescription', description: 'A collection and the fields of its documents.' },
)
export type CollectionReferenceDescription = Static<typeof CollectionReferenceDescription>
