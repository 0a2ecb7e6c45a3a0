import type { FastifyInstance } from 'fastify'
import type { Collections } from '../collections/collections.ts'
import type { ReferenceStore } from '../collections/reference-store.ts'
import type { Settings } from '../config/settings.ts'
import type { Engine } from '../engine/engine.ts'
import type { Notifications } from '../subscriptions/notifications.ts'
import type { Tagging } from '../tagging/tagging.ts'

/** What routes work with; made once at start-up. */
export interface Services {
  readonly settings: Settings
  readonly engine: Engine
  readonly collections: Collections
  readonly store: ReferenceStore
  /** Absent: there are no routes for it. */
  readonly tagging?: Tagging
  readonly notifications?: Notifications
  /** The clock: milliseconds since the epoch. */
  readonly now: () => number
  readonly version: string
}

/** Registers routes. */
export type Routes = (app: FastifyInstance, services: Services) => void
