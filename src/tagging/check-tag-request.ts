import { randomUUID } from 'node:crypto'
import { narrowingDigest, narrowingOf } from '../access/narrowing.ts'
import type { OpenCollection } from '../collections/open-collection.ts'
import type { Limits } from '../config/settings.ts'
import { Problem, problem } from '../errors.ts'
import type { Search } from '../model/search.ts'
import type { LoggedRequest, NewTagRecord } from '../model/tag-record.ts'
import type { TagAction, TagRequest } from '../model/tag-request.ts'
import type { Access } from '../query/access/access.ts'
import { resolvePage } from '../query/page/page.ts'
import { resolveProjection } from '../query/page/projection.ts'
import { propagationField } from './propagation-field.ts'
import { checkLabel, readTagBody } from './tag-body.ts'
import { checkTagColumns } from './tag-columns.ts'
import { resolveTagFilters } from './tag-selection.ts'
import { checkTagValue } from './tag-value.ts'
import { checkTaggable } from './taggable-path.ts'

/** `tag` adds a value, `untag` removes one or all. */
export type TagOperation = 'tag' | 'untag'

export interface TagRequestContext {
  /** Existing, visible to the caller, with an existing index. */
  readonly collection: OpenCollection
  readonly access: Access
  readonly limits: Limits
  /** Milliseconds. Time of acceptance. */
  readonly now: number
  /** Maximum from + size of the engine. */
  readonly window?: number | undefined
  /** The sender, if known. */
  readonly principal?: string | undefined
  /** Raw header behind the document filters of `access`. */
  readonly partitionHeader?: string | undefined
}

/** Runs the checks of spec tagging 1.3 from row 8 on, in order, on a JSON body. Returns a record ready to be logged. */
export function checkTagRequest(operation: TagOperation, body: unknown, context: TagRequestContext): NewTagRecord {
  const { collection, access, limits, now, principal, partitionHeader } = context
  const name = collection.reference.collection_name
  const request = readTagBody(body)
  const narrowing = narrowingOf(access, collection.reference)
  checkLabel(request.label)
  checkTagColumns(request, collection)
  const path = requiredPath(operation, request)
  const { value } = request.tag ?? {}
  const action = actionOf(operation, value)
  const field = checkTaggable(path, collection)
  const tag = value === undefined ? { path } : { path, value: checkTagValue(value, { path, field, action }) }
  resolveTagFilters(collection, request, { access, limits, now })
  checkSearchRest(request.search, context)
  if (request.propagation !== undefined) propagationField(collection, request.propagation)
  return {
    id: randomUUID(),
    collection: name,
    action,
    creationTime: now,
    ...(request.label === undefined ? {} : { label: request.label }),
    ...(principal === undefined ? {} : { principal }),
    ...(partitionHeader === undefined ? {} : { partitionHeader }),
    ...(narrowing === undefined ? {} : { narrowing: narrowingDigest(narrowing) }),
    request: loggedRequest(tag, request),
  }
}

/** Row 10. */
function requiredPath(operation: TagOperation, { tag }: TagRequest): string {
  const missing = [
    ...(tag === undefined ? ['tag'] : []),
    ...(tag?.path === undefined || tag.path === '' ? ['tag.path'] : []),
    ...(operation === 'tag' && tag?.value === undefined ? ['tag.value'] : []),
  ]
  if (missing.length === 0 && tag?.path !== undefined) return tag.path
  const last = missing.at(-1) ?? ''
  const named = missing.length < 2 ? last : `${missing.slice(0, -1).join(', ')} and ${last}`
  throw problem('INVALID_TAG', { parameter: named, reason: missing.length < 2 ? 'is required' : 'are required' })
}

function actionOf(operation: TagOperation, value: unknown): TagAction {
  if (operation === 'tag') return 'ADD'
  return value === undefined ? 'REMOVEALL' : 'REMOVE'
}

function loggedRequest(tag: LoggedRequest['tag'], request: TagRequest): LoggedRequest {
  const { search, filter, partitionFilter, propagation, form } = request
  return {
    tag,
    ...(search === undefined ? {} : { search }),
    ...(filter === undefined ? {} : { filter }),
    ...(partitionFilter === undefined ? {} : { partitionFilter }),
    ...(propagation === undefined ? {} : { propagation }),
    ...(form === undefined ? {} : { form }),
  }
}

interface SearchRestContext {
  readonly collection: OpenCollection
  readonly limits: Limits
  readonly window?: number | undefined
}

/**
 * Validates page, projection and returned geometries. They have no effect on a tag but must be valid (spec tagging 1.3
 * row 14a).
 */
function checkSearchRest(search: Search | undefined, context: SearchRestContext): void {
  if (search === undefined) return
  const here = { ...context, origin: 'body' } as const
  inSearch(() => {
    resolvePage(search.page, here)
    resolveProjection(search.projection, search.returned_geometries, here)
  })
}

/** Prefixes the parameter of an error with `search.`, its path in the whole body. */
function inSearch(check: () => void): void {
  try {
    check()
  } catch (error) {
    if (!(error instanceof Problem) || error.details.parameter === undefined) throw error
    throw problem(error.code, { ...error.details, parameter: `search.${error.details.parameter}` }, error.headers)
  }
}
