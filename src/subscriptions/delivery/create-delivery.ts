import { readFileSync } from 'node:fs'
import { createEgressClient } from '../../access/egress/egress-client.ts'
import { createEgressGuard, type ResolveName } from '../../access/egress/egress-guard.ts'
import { milliseconds } from '../../config/duration.ts'
import { SettingsFault } from '../../config/setting-value.ts'
import type { Settings } from '../../config/settings.ts'
import { problem } from '../../errors.ts'
import type { Delivery } from '../record/delivery-record.ts'
import type { DeliveryStore } from '../record/delivery-store.ts'
import type { SecretStore } from '../record/secret-store.ts'
import type { SubscriptionStore } from '../record/subscription-store.ts'
import { subscriptionNotFound } from '../rights/subscription-caller.ts'
import { type Clock, systemClock } from './clock.ts'
import { type Channel, outcomeOf } from './delivery-channel.ts'
import { DeliveryFigures } from './delivery-figures.ts'
import { Dispatcher, type DispatcherOptions } from './dispatcher.ts'
import { kafkaChannel } from './kafka-channel.ts'
import { openKafkaOutput } from './kafka-output.ts'
import { testNotification } from './test-notification.ts'
import { webhookChannel } from './webhook-channel.ts'
import { WebhookConsents } from './webhook-consent.ts'

/** Log for errors. A pino logger fits. */
export interface DeliveryLog {
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

export interface DeliveryOptions {
  readonly settings: Settings
  readonly version: string
  /** Public URL of this server, without trailing slash. */
  readonly base: () => string
  readonly subscriptions: SubscriptionStore
  readonly secrets: SecretStore
  readonly deliveries: DeliveryStore
  /** True if the writer may still see the content of a delivery. Absent: always. */
  readonly mayTell?: NonNullable<DispatcherOptions['mayTell']>
  /** True if other servers use the same stores. */
  readonly isShared: boolean
  readonly log: DeliveryLog
  readonly clock?: Clock
  readonly random?: () => number
  readonly resolve?: ResolveName
}

/** Operations on deliveries for other components. */
export interface Deliveries {
  /** Sends a test message at once. Returns its delivery id. */
  test(subscriptionId: string): Promise<string>
  /**
   * Cancels the deliveries of a deleted subscription. When it resolves, its attempts have ended and no new one starts.
   */
  cancel(subscriptionId: string): Promise<void>
  /**
   * Looks for deliveries that became due, after a redelivery or when a subscription is active again. With a
   * subscription id, also ends the pause its target requested.
   */
  wake(subscriptionId?: string): void
}

/** Sends matched notifications until it is stopped. */
export interface Delivering extends Deliveries {
  readonly figures: DeliveryFigures
  start(): void
  stop(): Promise<void>
}

/** Milliseconds between polls for deliveries inserted by other servers. */
const POLL_MS = 1_000
const CLEAN_MS = 3_600_000

export function createDelivery(options: DeliveryOptions): Delivering {
  const { settings, version, base, subscriptions, secrets, deliveries, mayTell, isShared, log } = options
  const { clock = systemClock, random = Math.random } = options
  const { delivery, egress } = settings
  const figures = new DeliveryFigures()
  const timeoutMs = milliseconds(delivery.timeout)
  const claimMs = milliseconds(delivery.claim)
  const guard = createEgressGuard({
    settings: egress,
    onDenied: (rule) => figures.countDenied(rule),
    ...(options.resolve === undefined ? {} : { resolve: options.resolve }),
  })
  const client = createEgressClient(guard, {
    connectTimeoutMs: milliseconds(delivery.connectTimeout),
    ...(delivery.caFile === undefined ? {} : { ca: readCertificates(delivery.caFile) }),
    ...(egress.proxy === undefined ? {} : { proxy: egress.proxy }),
  })
  const origin = (): string => new URL(base()).host
  const consents = delivery.handshake
    ? new WebhookConsents({ client, clock, timeoutMs, origin, onChange: (callback) => mayCallAgain(callback) })
    : undefined
  const webhook = webhookChannel({
    ...{ client, guard, secrets, figures, random, version, timeoutMs, now: () => clock.now() },
    ...(consents === undefined ? {} : { consents }),
    ...(delivery.cloudEvents ? { cloudEvents: base } : {}),
  })
  const output = delivery.mode === 'webhook' ? undefined : openKafkaOutput(delivery.kafka)
  const kafka =
    output === undefined
      ? undefined
      : kafkaChannel(output, (error) => log.warn({ err: error }, 'the broker did not accept a notification'))

  const onFault = (error: unknown): void =>
    log.warn({ err: error }, 'deliveries are paused: the store does not respond')
  const dispatch = (channel: Channel): Dispatcher =>
    new Dispatcher({
      ...{ channel, deliveries, subscriptions, clock, limits: delivery, timeoutMs, claimMs, onFault },
      ...(isShared ? { pollMs: POLL_MS } : {}),
      ...(mayTell === undefined ? {} : { mayTell }),
    })
  const dispatchers = [...(delivery.mode === 'kafka' ? [] : [webhook]), ...(kafka === undefined ? [] : [kafka])].map(
    dispatch,
  )
  const wake = (subscriptionId?: string): void => {
    for (const dispatcher of dispatchers) dispatcher.wake(subscriptionId)
  }

  const mayCallAgain = (callback: string): void => {
    for (const dispatcher of dispatchers) dispatcher.mayCallAgain(callback)
  }

  /** A shared store holds no secrets unless they are encrypted, so nothing can be signed without a key. */
  const isRefused = isShared && settings.secrets.key === undefined
  let callOffCleaning: () => void = () => undefined
  const clean = (): void => {
    const before = Math.floor((clock.now() - milliseconds(delivery.retention)) / 1000)
    deliveries.clean(before).catch(onFault)
    callOffCleaning = clock.after(CLEAN_MS, clean)
  }

  const test = async (subscriptionId: string): Promise<string> => {
    const subscription = await subscriptions.get(subscriptionId)
    if (subscription === undefined) throw subscriptionNotFound(subscriptionId)
    if (subscription.deleted) throw problem('SUBSCRIPTION_INACTIVE', { name: subscriptionId })
    if (isRefused) throw problem('STORE_UNAVAILABLE', { reason: REFUSAL }, { 'Retry-After': '60' })
    const channel = delivery.mode === 'kafka' && kafka !== undefined ? kafka : webhook
    const startMs = clock.now()
    const sent: Delivery = {
      ...testNotification(subscription, channel.name, startMs),
      ...{ state: 'DELIVERING', attempts: 0, earlierAttempts: 0, manual: false },
    }
    const { callback } = subscription.subscription
    const mayCall = channel !== webhook || consents === undefined || (await consents.ask(callback))
    if (mayCall) channel.called?.(callback, startMs)
    const result = mayCall
      ? await channel.send(sent, subscription, startMs, new AbortController().signal)
      : { error: 'EGRESS_DENIED' as const }
    const never = (): undefined => undefined
    const outcome = outcomeOf(sent, result, { startMs, endMs: clock.now() }, never, 0)
    const { state, status, error, deliveredAt } = outcome
    const finished: Delivery = {
      ...{ ...sent, state, attempts: 1 },
      ...(status === undefined ? {} : { lastStatus: status }),
      ...(error === undefined ? {} : { lastError: error }),
      ...(deliveredAt === undefined ? {} : { deliveredAt }),
    }
    await deliveries.insertFinished(finished, { ...outcome.attempt, cause: 'test' })
    return sent.id
  }

  return {
    figures,
    test,
    wake,
    cancel: async (subscriptionId) => {
      if (dispatchers.length === 0) await deliveries.cancel(subscriptionId)
      for (const dispatcher of dispatchers) await dispatcher.cancel(subscriptionId)
    },
    start() {
      clean()
      if (isRefused) {
        log.error({}, REFUSAL)
        return
      }
      if (settings.secrets.key === undefined) {
        log.warn({}, 'secrets of subscriptions are stored unencrypted; set secrets.key to encrypt them')
      }
      for (const dispatcher of dispatchers) dispatcher.start()
    },
    async stop() {
      callOffCleaning()
      await Promise.all(dispatchers.map((dispatcher) => dispatcher.stop()))
      await Promise.all([client.close(), output?.close()])
    },
  }
}

const REFUSAL = 'Notifications are not delivered: secrets.key must be set if secrets are stored in a cluster'

function readCertificates(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new SettingsFault(`delivery.caFile cannot be read: ${error instanceof Error ? error.message : error}`)
  }
}
