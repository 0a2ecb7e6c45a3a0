import type { FoundDocument } from '../../engine/engine.ts'
import { projectDocument } from '../../query/page/projection.ts'
import type { DeliveryChannel, NewDelivery } from '../record/delivery-record.ts'
import type { SubscriptionEvent } from '../record/subscription-event.ts'
import type { WantedHits } from '../watched/watched-collection.ts'
import type { WatchedSubscription } from '../watched/watched-subscription.ts'
import { notificationStart, notificationText, notificationType, webhookId } from './notification.ts'

export interface NotifierOptions {
  readonly channels: readonly DeliveryChannel[]
  /** `delivery.maxPayload` */
  readonly maxPayload: number
  /** Public URL of the server. */
  readonly base: string
  readonly now: () => number
}

/** Creates the notifications of one event. Shared parts are created once. */
export class EventNotifier {
  readonly deliveries: NewDelivery[] = []
  readonly #event: SubscriptionEvent
  readonly #options: NotifierOptions
  readonly #createdAt: number
  readonly #data = new Map<string, string>()
  /** Number of hits so far, by subscription and identifier. */
  readonly #places = new Map<string, number>()
  #start: string | undefined
  #matched = 0

  constructor(event: SubscriptionEvent, options: NotifierOptions) {
    this.#event = event
    this.#options = options
    this.#createdAt = Math.floor(options.now() / 1000)
  }

  /** Number of notifications so far. Counted once for all channels. */
  get matched(): number {
    return this.#matched
  }

  /** Starts another document. */
  nextDocument(): void {
    this.#data.clear()
  }

  hit(subscription: WatchedSubscription, document: FoundDocument, identifier: string, wanted: WantedHits): void {
    let data = this.#data.get(wanted.dataKey)
    if (data === undefined) {
      data = JSON.stringify(projectDocument(document.source, wanted.projection))
      this.#data.set(wanted.dataKey, data)
    }
    this.#deliver(subscription, identifier, data)
    this.#matched++
  }

  /** Notifies about a deleted document whose last state is unknown. */
  withoutData(subscription: WatchedSubscription, identifier: string): void {
    this.#deliver(subscription, identifier, '{}')
    this.#matched++
  }

  /** Adds a failed delivery if hits.filter does not fit the collection, so that the owner can see it. */
  invalid(subscription: WatchedSubscription, identifier: string): void {
    this.#deliver(subscription, identifier, '{}', 'INVALID_FILTER')
  }

  #deliver(subscription: WatchedSubscription, identifier: string, data: string, failed?: 'INVALID_FILTER'): void {
    const { base, maxPayload, channels } = this.#options
    const { id: eventId, collection, event: kind } = this.#event
    this.#start ??= notificationStart(this.#event)
    const href = (): string => `${base}/explore/${encodeURIComponent(collection)}/${encodeURIComponent(identifier)}`
    const delivery = {
      id: webhookId(subscription.id, this.#event, identifier, this.#place(subscription, identifier)),
      subscriptionId: subscription.id,
      eventId,
      collection,
      documentId: identifier,
      type: notificationType(kind),
      payload: notificationText(this.#start, data, subscription, { maxPayload, href }),
      createdAt: this.#createdAt,
      ...(failed === undefined ? {} : { failed }),
    }
    for (const channel of channels) this.deliveries.push({ ...delivery, channel })
  }

  #place({ id }: WatchedSubscription, identifier: string): number {
    const key = `${id}\0${identifier}`
    const place = this.#places.get(key) ?? 0
    this.#places.set(key, place + 1)
    return place
  }
}
