import type { Mapping } from '../../../../model/mapping.ts'
import type { Field } from '../../../../query/schema/field.ts'
import { typeOf } from '../../../../query/schema/schema.ts'
import type { Part } from '../../segment/part.ts'
import { plainPart } from '../../segment/parts.fixture.ts'

/** Returns a field of a flat mapping. */
export const partField = ({ properties }: Mapping, path: string): Field => ({
  path,
  type: typeOf(properties?.[path]?.type),
  indexed: true,
  nested: false,
})

/** Returns the part without some rows. */
export const withDead = (part: Part, rows: Iterable<number>): Part => ({
  ...plainPart(part),
  live: part.live.without(rows),
})
