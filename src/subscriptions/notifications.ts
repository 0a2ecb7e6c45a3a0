import type { Writer } from '../access/rights/writer.ts'
import type { Deliveries } from './delivery/create-delivery.ts'
import type { DeliveryFigures } from './delivery/delivery-figures.ts'
import type { EventIntake } from './events/event-intake.ts'
import type { MatchingFigures } from './matching/create-matching.ts'
import type { DeliveryStore } from './record/delivery-store.ts'
import type { EventStore } from './record/event-store.ts'
import type { SecretStore } from './record/secret-store.ts'
import type { SubscriptionRecord } from './record/subscription-record.ts'
import type { SubscriptionStore } from './record/subscription-store.ts'

/** Metrics. */
interface NotificationFigures {
  readonly matching: MatchingFigures
  readonly delivery: DeliveryFigures
}

/** Rights of the writers of subscriptions. */
interface WritersRights {
  /** Records the current rights of a caller for its subscriptions, at each of its requests. */
  note(writer: Writer): void
  /** True if a subscription is stopped because its writer lacks a right. */
  isStopped(subscription: SubscriptionRecord): Promise<boolean>
  /** Number of subscriptions found to be stopped. */
  readonly stoppedCount: number
}

/** All services for subscriptions. Created once at startup. */
export interface Notifications {
  readonly subscriptions: SubscriptionStore
  readonly secrets: SecretStore
  readonly events: EventStore
  readonly deliveries: DeliveryStore
  readonly intake: EventIntake
  readonly dispatcher: Deliveries
  readonly figures?: NotificationFigures
  readonly rights?: WritersRights
  /** Loads the subscriptions, for a process that changes documents but does not send notifications. */
  prepare?(): Promise<void>
  /** Not ready while subscriptions are being loaded or a store is unavailable. */
  health(): Promise<{ readonly ok: boolean; readonly detail: string }>
  start(): void
  stop(): Promise<void>
}
