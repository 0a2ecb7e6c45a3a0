import { restoreAccess } from '../access/rights/stored-access.ts'
import { openReference } from '../collections/open-collection.ts'
import type { ReferenceStore } from '../collections/store/reference-store.ts'
import type { Settings } from '../config/settings.ts'
import type { Engine } from '../engine/engine.ts'
import type { Failure, FailureType } from '../engine/tag-store.ts'
import type { TagTask } from '../engine/tag-task.ts'
import { Problem } from '../errors.ts'
import type { CollectionReference } from '../model/collection.ts'
import type { TagRecord } from '../model/tag-record.ts'
import { taggablePaths } from '../model/taggable-fields.ts'
import { resolveTagSelection } from './tag-selection.ts'

/** Default of update_max_hits. */
const MOST_HITS = 2_147_483_647

export interface TaskSources {
  readonly engine: Pick<Engine, 'indices'>
  readonly references: Pick<ReferenceStore, 'get'>
  readonly settings: Settings
  readonly now: () => number
}

/** Failure of a whole request: it can no longer be executed as it was accepted. */
export class TagFailure extends Error {
  readonly failure: Failure

  constructor(record: Pick<TagRecord, 'id'>, type: FailureType, message: string) {
    super(message)
    this.failure = { id: record.id, type, message }
  }
}

/** Resolves a record against the current state of its collection. Throws TagFailure if it no longer fits. */
export async function prepareTask(
  record: TagRecord,
  run: number,
  startMs: number,
  sources: TaskSources,
): Promise<TagTask> {
  const reference = await requireCollection(record, sources.references)
  const { settings } = sources
  const { params } = reference
  const { partitionHeader: partition } = record
  const access = restoreAccess(partition === undefined ? {} : { partition }, settings.access)
  const collection = await openReference(sources.engine, reference, access)
  if (collection === undefined) {
    throw new TagFailure(record, 'INDEX_NOT_FOUND', `Index ${params.index_name} does not exist.`)
  }
  const { path } = record.request.tag
  if (!taggablePaths(params.taggable_fields).has(path)) {
    const message = `The path ${path} is no longer among the taggable_fields of collection ${record.collection}.`
    throw new TagFailure(record, 'FIELD_NOT_TAGGABLE', message)
  }
  const context = { access, limits: settings.limits, now: record.creationTime }
  return {
    record,
    run,
    startMs,
    indices: collection.infos.map((info) => info.name),
    maxHits: params.update_max_hits ?? MOST_HITS,
    idPath: params.id_path,
    now: sources.now,
    ...refusing(record, () => resolveTagSelection(collection, record.request, context)),
  }
}

export async function requireCollection(
  record: TagRecord,
  references: Pick<ReferenceStore, 'get'>,
): Promise<CollectionReference> {
  const reference = await references.get(record.collection)
  if (reference !== undefined) return reference
  throw new TagFailure(record, 'COLLECTION_NOT_FOUND', `Collection ${record.collection} does not exist.`)
}

/** Converts an error of a request that was valid when it was accepted into a TagFailure. */
function refusing<T>(record: TagRecord, resolve: () => T): T {
  try {
    return resolve()
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error
    throw new TagFailure(
      record,
      'INVALID_FILTER',
      `The request is no longer valid for the collection: ${error.message}.`,
    )
  }
}
