import { setTimeout as delay } from 'node:timers/promises'
import type { ReferenceStore } from '../collections/reference-store.ts'
import type { Settings } from '../config/settings.ts'
import type { Engine } from '../engine/engine.ts'
import { createDelivery, type DeliveryLog } from './create-delivery.ts'
import { createMatching, type MatchingOptions } from './create-matching.ts'
import type { KafkaEvents } from './kafka-events.ts'
import type { NotificationStores } from './notification-stores.ts'
import type { Notifications } from './notifications.ts'

/** How long a question about health waits for subscriptions that are being read. */
const PATIENCE_MS = 1_000

export interface NotificationsOptions {
  readonly settings: Settings
  readonly version: string
  readonly engine: Engine
  readonly references: ReferenceStore
  readonly stores: NotificationStores
  /** Where several servers share the stores: resolves when this one matches. */
  readonly lead?: MatchingOptions['lead']
  readonly log: DeliveryLog
  readonly now: () => number
}

/** Joins matching and delivery. Nothing happens before `start`. */
export function createNotifications(options: NotificationsOptions): Notifications {
  const { settings, version, engine, references, stores, lead, log, now } = options
  const { subscriptions, secrets, events, deliveries, isShared } = stores
  const base = publicBase(settings)
  const onFault = (error: unknown): void => log.warn({ err: error }, 'events wait to be matched')
  const matching = createMatching({
    ...{ settings, engine, references, subscriptions, events, deliveries, base, onFault, now },
    ...(lead === undefined ? {} : { lead }),
  })
  const delivering = createDelivery({
    ...{ settings, version, subscriptions, secrets, deliveries, isShared, log },
    base: () => base,
  })
  let topic: KafkaEvents | undefined
  let opening: Promise<void> | undefined
  const openTopic = async (kafka: Settings['events']['kafka']): Promise<void> => {
    // The client takes a second and many megabytes to load.
    const { openKafkaEvents } = await import('./kafka-events.ts')
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
    prepare: () => matching.prepare(),
    async health() {
      // It may be possible only now; whoever asks need not wait for the next attempt.
      if (!matching.isReady())
        await Promise.race([matching.prepare().catch(() => undefined), delay(PATIENCE_MS, undefined, { ref: false })])
      if (!matching.isReady()) return { ok: false, detail: 'the subscriptions are being read' }
      const kafka = topic?.health()
      if (kafka !== undefined && !kafka.ok)
        return { ok: true, detail: `events do not come from Kafka: ${kafka.detail}` }
      return { ok: true, detail: `${matching.figures.indexed()} subscriptions` }
    },
    start() {
      matching.start()
      delivering.start()
      const { kafka } = settings.events
      if (kafka.brokers.length > 0) opening = openTopic(kafka)
    },
    async stop() {
      await opening
      await topic?.close()
      await matching.stop()
      await delivering.stop()
      for (const store of [subscriptions, secrets, events, deliveries]) await store.close()
    },
  }
}

/** How this server is reached, for links in notifications, without a slash at its end. */
function publicBase({ server }: Settings): string {
  const { publicUrl, host, port } = server
  if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, '')
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
