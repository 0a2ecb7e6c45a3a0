import type { Collections } from '../collections/collections.ts'
import type { ReferenceStore } from '../collections/reference-store.ts'
import type { Settings } from '../config/settings.ts'
import type { Engine } from '../engine/engine.ts'

/** What routes work with; made once at start-up. */
export interface Services {
  readonly settings: Settings
  readonly engine: Engine
  readonly collections: Collections
  readonly store: ReferenceStore
  /** The clock: milliseconds since the epoch. */
  readonly now: () => number
  readonly version: string
}
