import type { FastifyRequest } from 'fastify'
import type { Identity } from '../../access/identity.ts'
import { ADMIN_ROLE } from '../../access/rights/roles.ts'
import type { Settings } from '../../config/settings.ts'
import type { TagRecord } from '../../model/tag-record.ts'
import { printJson } from '../answer/print-json.ts'
import { isAuthenticating } from '../auth/auth.ts'
import { callerIdentity } from '../request/caller.ts'

/** Characters per chunk. */
const PIECE = 64 << 10

/** True if the caller may see the partition filter of a record. */
type PartitionVisibility = (record: TagRecord) => boolean

/** Returns the author as stored in a record; undefined if unknown. */
export const principalOf = (identity: Identity | undefined): string | undefined => identity?.user ?? identity?.key

/**
 * With authentication, only the author of a record and administrators may see its partition filter (spec tagging 1.11).
 */
export function partitionVisibility(request: FastifyRequest, settings: Settings): PartitionVisibility {
  if (!isAuthenticating(settings)) return () => true
  const identity = callerIdentity(request)
  const caller = principalOf(identity)
  if (identity === undefined || caller === undefined) return () => false
  const roles = identity.roles.length === 0 ? settings.auth.defaultRoles : identity.roles
  const isAdministrator = roles.includes(ADMIN_ROLE) || caller === settings.subscriptions.identity.admin
  return ({ principal }) => isAdministrator || principal === caller
}

/** Prints the records as one JSON array, in chunks. */
export async function* printList(
  records: AsyncIterable<TagRecord>,
  options: { readonly pretty: boolean; readonly showsPartition: PartitionVisibility },
): AsyncIterable<string> {
  const { pretty, showsPartition } = options
  const gap = pretty ? '\n  ' : ''
  let piece = '['
  let isEmpty = true
  for await (const record of records) {
    const text = printJson(listed(record, showsPartition(record)), pretty)
    piece += `${isEmpty ? '' : ','}${gap}${pretty ? text.replaceAll('\n', gap) : text}`
    isEmpty = false
    if (piece.length < PIECE) continue
    yield piece
    piece = ''
  }
  yield `${piece}${isEmpty || !pretty ? '' : '\n'}]`
}

function listed(record: TagRecord, showsPartition: boolean): object {
  const { id, action, collection, offset, creationTime, label, request } = record
  const { tag, search, filter, form, propagation } = request
  const partitionFilter = showsPartition ? partitionText(record) : undefined
  const value = tag.value ?? undefined
  return {
    id,
    action,
    collection,
    offset,
    creationTime,
    propagated: -1,
    label,
    tag: { path: tag.path, value },
    search,
    filter,
    form,
    propagation,
    partitionFilter,
  }
}

/** Joins header and body into one text. An empty list in the body restricts nothing, so it counts as absent. */
function partitionText({ partitionHeader, request: { partitionFilter = [] } }: TagRecord): string | undefined {
  const body = partitionFilter.map((entry) => JSON.stringify(entry)).join(',')
  if (partitionHeader === undefined) return body === '' ? undefined : body
  if (body === '') return partitionHeader
  return `[${JSON.stringify(JSON.parse(`[${partitionHeader}]`))},[${body}]]`
}
