import type { Access } from '../access/access.ts'
import type { Limits } from '../config/settings.ts'
import type { TagTask } from '../engine/tag-task.ts'
import { problem } from '../errors.ts'
import type { OpenCollection } from '../explore/open-collection.ts'
import type { LoggedRequest } from '../model/tag-record.ts'

export interface TagSelectionContext {
  /** What narrowed the view of whoever sent the request. */
  readonly access: Access
  readonly limits: Limits
  /** ms; `now` in filters: acceptance of the request. */
  readonly now: number
}

/** Which documents a request is about, in the collection as it is now (spec tagging 1.4). Throws what is wrong with its filters. */
export function resolveTagSelection(
  _collection: OpenCollection,
  _request: LoggedRequest,
  _context: TagSelectionContext,
): Pick<TagTask, 'target' | 'propagation'> {
  throw problem('NOT_IMPLEMENTED', { name: 'tagging' })
}
