import type { FastifyInstance } from 'fastify'
import type { Collections } from '../collections/collections.ts'
import type { ReferenceStore } from '../collections/store/reference-store.ts'
import type { Settings } from '../config/settings.ts'
import type { Engine } from '../engine/engine.ts'
import type { LiveFeeds } from '../explore/live/live-feeds.ts'
import type { Loads } from '../loading/loads.ts'
import type { Notifications } from '../subscriptions/notifications.ts'
import type { Tagging } from '../tagging/tagging.ts'

/** Dependencies of the routes, created once at start-up. */
export interface Services {
  readonly settings: Settings
  readonly engine: Engine
  readonly collections: Collections
  readonly store: ReferenceStore
  /** Absent: its routes are not registered. */
  readonly tagging?: Tagging
  readonly notifications?: Notifications
  readonly loads?: Loads
  readonly live?: LiveFeeds
  /** Clock. Milliseconds since the epoch. */
  readonly now: () => number
  readonly version: string
  /** How a user calls the program; default: periplus. */
  readonly command?: string
}

export type Routes = (app: FastifyInstance, services: Services) => void
