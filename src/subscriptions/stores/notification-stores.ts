import type { ClusterClient } from '../../cluster-client/cluster-client.ts'
import { milliseconds } from '../../config/duration.ts'
import type { Settings } from '../../config/settings.ts'
import type { SqliteFile } from '../../storage/sqlite-file.ts'
import type { DeliveryStore } from '../record/delivery-store.ts'
import type { EventStore } from '../record/event-store.ts'
import type { SecretStore } from '../record/secret-store.ts'
import type { SubscriptionStore } from '../record/subscription-store.ts'
import { clusterDeliveryStore, deliveryIndex } from './cluster/cluster-delivery-store.ts'
import { clusterEventStore } from './cluster/cluster-event-store.ts'
import { clusterSecretStore } from './cluster/cluster-secret-store.ts'
import { openClusterSubscriptionStore } from './cluster/cluster-subscription-store.ts'
import { lateSubscriptionStore } from './late-subscription-store.ts'
import { createSecretCipher } from './shared/secret-cipher.ts'
import { sqliteDeliveryStore } from './sqlite/sqlite-delivery-store.ts'
import { sqliteEventStore } from './sqlite/sqlite-event-store.ts'
import { sqliteSecretStore } from './sqlite/sqlite-secret-store.ts'
import { sqliteSubscriptionStore } from './sqlite/sqlite-subscription-store.ts'

/** All stores for subscriptions, in one database. */
export interface NotificationStores {
  readonly subscriptions: SubscriptionStore
  readonly secrets: SecretStore
  readonly events: EventStore
  readonly deliveries: DeliveryStore
  /** True if other servers may use them too. */
  readonly isShared: boolean
}

export function sqliteNotificationStores(file: SqliteFile, settings: Settings): NotificationStores {
  return {
    subscriptions: sqliteSubscriptionStore(file),
    secrets: sqliteSecretStore(file, createSecretCipher(settings.secrets.key)),
    events: sqliteEventStore(file, { dedupeMs: milliseconds(settings.events.dedupeWindow) }),
    deliveries: sqliteDeliveryStore(file),
    isShared: false,
  }
}

/** Sends no request to the cluster before one is needed. */
export function clusterNotificationStores(client: ClusterClient, settings: Settings): NotificationStores {
  const { prefix } = settings.cluster
  const deliveries = deliveryIndex(client, prefix)
  return {
    subscriptions: lateSubscriptionStore(() => openClusterSubscriptionStore(client, prefix)),
    secrets: clusterSecretStore(client, prefix, createSecretCipher(settings.secrets.key)),
    events: clusterEventStore({ client, prefix, deliveries, dedupeMs: milliseconds(settings.events.dedupeWindow) }),
    deliveries: clusterDeliveryStore(deliveries),
    isShared: true,
  }
}
