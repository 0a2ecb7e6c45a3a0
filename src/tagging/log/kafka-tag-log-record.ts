import { Type } from 'typebox'
import { Problem } from '../../errors.ts'
import { checkBody } from '../../model/check-body.ts'
import { Filter } from '../../model/filter.ts'
import { Form, Search } from '../../model/search.ts'
import { type LoggedRequest, type NewTagRecord, RECORD_VERSION, type TagRecord } from '../../model/tag-record.ts'
import { Propagation } from '../../model/tag-request.ts'

const Logged = Type.Object(
  {
    v: Type.Literal(RECORD_VERSION),
    id: Type.String({ minLength: 1 }),
    collection: Type.String({ minLength: 1 }),
    action: Type.Union([Type.Literal('ADD'), Type.Literal('REMOVE'), Type.Literal('REMOVEALL')]),
    creationTime: Type.Integer(),
    label: Type.Optional(Type.String()),
    principal: Type.Optional(Type.String()),
    partitionHeader: Type.Optional(Type.String()),
    narrowing: Type.Optional(Type.String()),
    request: Type.Object(
      {
        tag: Type.Object(
          {
            path: Type.String(),
            value: Type.Optional(Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])),
          },
          { additionalProperties: false },
        ),
        search: Type.Optional(Search),
        filter: Type.Optional(Filter),
        partitionFilter: Type.Optional(Type.Array(Filter)),
        propagation: Type.Optional(Propagation),
        form: Type.Optional(Form),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
)

/**
 * Serialises a record as a message value. The offset is assigned by the broker. Throws for a record that could not be
 * read back, because a message cannot be removed.
 */
export function printRecord(record: NewTagRecord): string {
  const { id, collection, action, creationTime, label, principal, partitionHeader, narrowing, request } = record
  const members = { id, collection, action, creationTime, label, principal, partitionHeader, narrowing, request }
  const text = JSON.stringify({ v: RECORD_VERSION, ...members })
  const read = readRecord(0, Buffer.from(text))
  if ('fault' in read) throw new Error(`request ${id} is not a valid record: ${read.fault}`)
  return text
}

/**
 * Parses the value at an offset. Returns the reason if it is not a record: anyone with write access to the topic may
 * write anything.
 */
export function readRecord(offset: number, value: Uint8Array | null): TagRecord | { readonly fault: string } {
  if (value === null) return { fault: 'it has no value' }
  try {
    const logged: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(value))
    const { request: _, ...members } = checkBody(Logged, logged)
    // Return the request as it was submitted: the validated copy lacks null members.
    return { ...members, request: (logged as { readonly request: LoggedRequest }).request, offset }
  } catch (error) {
    if (error instanceof Problem || error instanceof SyntaxError || error instanceof TypeError) {
      return { fault: error.message }
    }
    throw error
  }
}
