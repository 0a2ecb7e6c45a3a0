import { Type } from 'typebox'
import type { LoggedRequest } from '../../model/tag-record.ts'

/** Checks the outer form only: requests are validated before they are written, by servers with the same layout. */
export const StoredRequest = Type.Unsafe<LoggedRequest>({
  type: 'object',
  properties: { tag: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] } },
  required: ['tag'],
})
