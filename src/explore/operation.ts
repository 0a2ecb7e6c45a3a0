import type { OpenCollection } from '../collections/open-collection.ts'
import type { Limits } from '../config/settings.ts'
import type { ReadEngine } from '../engine/engine.ts'
import type { Access } from '../query/access/access.ts'
import type { RequestOrigin } from '../query/page/request-origin.ts'
import type { Notices } from '../query/request/notices.ts'

/** Context of an operation on a collection, besides the request. */
export interface Operation {
  readonly engine: ReadEngine
  readonly collection: OpenCollection
  readonly access: Access
  readonly limits: Limits
  /** Milliseconds since the epoch; read once per request. */
  readonly now: number
  /** Query parameters or body; messages name the parts of the request accordingly. */
  readonly origin: RequestOrigin
  /** Told of names in the request that do not exist. */
  readonly notices?: Notices
  readonly signal: AbortSignal
}
