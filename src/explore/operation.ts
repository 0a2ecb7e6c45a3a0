import type { OpenCollection } from '../collections/open-collection.ts'
import type { Limits } from '../config/settings.ts'
import type { Engine } from '../engine/engine.ts'
import type { Access } from '../query/access/access.ts'
import type { RequestOrigin } from '../query/page/request-origin.ts'

/** What an operation on a collection works with, beside the request itself. */
export interface Operation {
  readonly engine: Engine
  readonly collection: OpenCollection
  readonly access: Access
  readonly limits: Limits
  /** ms; read once per request. */
  readonly now: number
  /** Whether the request came as query parameters or as a body; messages name its parts accordingly. */
  readonly origin: RequestOrigin
  readonly signal: AbortSignal
}
