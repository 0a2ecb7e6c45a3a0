import type { Writer } from '../access/writer.ts'
import type { Deliveries } from './delivery/create-delivery.ts'
import type { DeliveryFigures } from './delivery/delivery-figures.ts'
import type { EventIntake } from './events/event-intake.ts'
import type { MatchingFigures } from './matching/create-matching.ts'
import type { DeliveryStore } from './record/delivery-store.ts'
import type { EventStore } from './record/event-store.ts'
import type { SecretStore } from './record/secret-store.ts'
import type { SubscriptionRecord } from './record/subscription-record.ts'
import type { SubscriptionStore } from './record/subscription-store.ts'

/** For whoever watches the server. */
export interface NotificationFigures {
  readonly matching: MatchingFigures
  readonly delivery: DeliveryFigures
}

/** Rights of those who wrote subscriptions. */
export interface WritersRights {
  /** A request of this caller came: what it may do now counts for its subscriptions. */
  note(writer: Writer): void
  /** Whether a subscription is stopped because its writer lacks a right. */
  isStopped(subscription: SubscriptionRecord): Promise<boolean>
  /** How many were found so. */
  readonly stoppedCount: number
}

/** Everything about subscriptions; made once at start-up. */
export interface Notifications {
  readonly subscriptions: SubscriptionStore
  readonly secrets: SecretStore
  readonly events: EventStore
  readonly deliveries: DeliveryStore
  readonly intake: EventIntake
  readonly dispatcher: Deliveries
  readonly figures?: NotificationFigures
  readonly rights?: WritersRights
  /** Reads the subscriptions, for a process that changes documents and leaves telling of them to another. */
  prepare?(): Promise<void>
  /** Not ready while the index of subscriptions is being loaded, or a store is away. */
  health(): Promise<{ readonly ok: boolean; readonly detail: string }>
  start(): void
  stop(): Promise<void>
}
