import { setTimeout as delay } from 'node:timers/promises'
import type { ReferenceStore } from '../collections/store/reference-store.ts'
import { ownUrl } from '../config/own-address.ts'
import type { Settings } from '../config/settings.ts'
import type { Engine } from '../engine/engine.ts'
import { createDelivery, type DeliveryLog } from './delivery/create-delivery.ts'
import type { KafkaEvents } from './events/kafka-events.ts'
import { createMatching, type MatchingOptions } from './matching/create-matching.ts'
import type { Notifications } from './notifications.ts'
import { SubscriptionRights } from './rights/subscription-rights.ts'
import { WriterRights } from './rights/writer-rights.ts'
import type { NotificationStores } from './stores/notification-stores.ts'

/** Milliseconds a health check waits while subscriptions are being loaded. */
const PATIENCE_MS = 1_000

export interface NotificationsOptions {
  readonly settings: Settings
  readonly version: string
  readonly engine: Engine
  readonly references: ReferenceStore & { onWrite?(listener: () => void): () => void }
  readonly stores: NotificationStores
  /** For servers that share the stores: resolves when this server becomes the one that matches. */
  readonly lead?: MatchingOptions['lead']
  readonly log: DeliveryLog
  readonly now: () => number
}

/** Combines matching and delivery. Inactive until `start`. */
export function createNotifications(options: NotificationsOptions): Notifications {
  const { settings, version, engine, references, stores, lead, log, now } = options
  const { subscriptions, secrets, events, deliveries, isShared } = stores
  const base = publicBase(settings)
  const onFault = (error: unknown): void => log.warn({ err: error }, 'matching of events is paused')
  const warn = (details: object, message: string): void => log.warn(details, message)
  const rights = new SubscriptionRights({ settings, references, now, warn })
  const writers = new WriterRights({
    subscriptions,
    namesCallers: settings.subscriptions.identity.header === '',
    onFault: (error) => warn({ err: error }, 'rights of subscriptions could not be stored'),
  })
  const isAuthenticating = !settings.auth.modes.includes('none')
  const matching = createMatching({
    ...{ settings, engine, references, subscriptions, events, deliveries, rights, base, onFault, now },
    ...(lead === undefined ? {} : { lead }),
  })
  const delivering = createDelivery({
    ...{ settings, version, subscriptions, secrets, deliveries, isShared, log },
    base: () => base,
    mayTell: (subscription, collection) => rights.mayTell(subscription, collection),
  })
  rights.onReconsider((subscriptionId) => delivering.wake(subscriptionId))
  subscriptions.onChange((subscription) => rights.rewritten(subscription))
  const stopListening = references.onWrite?.(() => rights.reconsider())
  let topic: KafkaEvents | undefined
  let opening: Promise<void> | undefined
  const openTopic = async (kafka: Settings['events']['kafka']): Promise<void> => {
    // Imported on demand: the client takes a second and many megabytes to load.
    const { openKafkaEvents } = await import('./events/kafka-events.ts')
    topic = openKafkaEvents({
      ...kafka,
      take: (messages, signal) => matching.intake.take(messages, signal),
      onWarning: (message) => log.warn({}, message),
    })
  }

  return {
    subscriptions,
    secrets,
    events,
    deliveries,
    intake: matching.intake,
    dispatcher: delivering,
    figures: { matching: matching.figures, delivery: delivering.figures },
    rights: {
      note: (writer) => writers.note(writer),
      isStopped: (subscription) => rights.isStopped(subscription),
      get stoppedCount() {
        return rights.stoppedCount
      },
    },
    prepare: () => matching.prepare(),
    async health() {
      // Tries to load now instead of waiting for the next scheduled attempt.
      if (!matching.isReady())
        await Promise.race([matching.prepare().catch(() => undefined), delay(PATIENCE_MS, undefined, { ref: false })])
      if (!matching.isReady()) return { ok: false, detail: 'the subscriptions are being loaded' }
      const kafka = topic?.health()
      if (kafka !== undefined && !kafka.ok)
        return { ok: true, detail: `no events are read from Kafka: ${kafka.detail}` }
      // Contains no number of subscriptions because anyone may read it. Metrics have it.
      return { ok: true, detail: 'subscriptions are active' }
    },
    start() {
      if (isAuthenticating) {
        rights.start()
        writers.start().catch(onFault)
      }
      matching.start()
      delivering.start()
      const { kafka } = settings.events
      if (kafka.brokers.length > 0) opening = openTopic(kafka)
    },
    async stop() {
      rights.stop()
      stopListening?.()
      await opening
      await topic?.close()
      await matching.stop()
      await delivering.stop()
      await writers.stop()
      for (const store of [subscriptions, secrets, events, deliveries]) await store.close()
    },
  }
}

/** Public URL of this server for links in notifications, without trailing slash. */
function publicBase(settings: Settings): string {
  const { publicUrl, host, port } = settings.server
  return publicUrl?.replace(/\/+$/, '') ?? ownUrl(settings, host, port)
}
