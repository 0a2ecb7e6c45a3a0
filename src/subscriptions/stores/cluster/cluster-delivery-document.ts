import type { WireObject } from '../../../cluster-client/cluster-client.ts'
import type {
  Attempt,
  Delivery,
  DeliveryChannel,
  DeliveryError,
  DeliveryState,
  NewDelivery,
} from '../../record/delivery-record.ts'
import type { DeliveryFilter } from '../../record/delivery-store.ts'

const keyword = { type: 'keyword', ignore_above: 8191 }
const long = { type: 'long' }

/** Indexed members. All others are only stored. */
export const DELIVERY_PROPERTIES = {
  id: keyword,
  subscription_id: keyword,
  channel: keyword,
  state: keyword,
  type: keyword,
  created_at: long,
  delivered_at: long,
  next_attempt_at: long,
  order: long,
  is_unmade: { type: 'boolean' },
}

/**
 * The result window covers all list pages. The explicit refresh interval makes writes visible within a second even if
 * the index was idle.
 */
export const DELIVERY_INDEX_SETTINGS = { max_result_window: 1_000_000, refresh_interval: '1s' }

/**
 * Document of a delivery with its attempts. `next_attempt_at` (milliseconds) is set until it is finished: when it is
 * due or, while it is being delivered, when its claim expires.
 */
export type DeliveryDocument = {
  readonly id: string
  readonly channel: DeliveryChannel
  readonly subscription_id: string
  readonly event_id: string
  readonly collection: string
  readonly document_id: string
  readonly type: string
  readonly state: DeliveryState
  readonly created_at: number
  /** Increases with every insertion. Orders deliveries created in the same second. */
  readonly order: number
  /** True if it could not be created. Never sent. */
  readonly is_unmade: boolean
  readonly attempts: number
  readonly earlier_attempts: number
  readonly manual: boolean
  readonly next_attempt_at: number | null
  readonly last_status: number | null
  readonly last_error: DeliveryError | null
  readonly delivered_at: number | null
  readonly attempt_log: readonly Attempt[]
  /** Omitted where it is not needed. */
  readonly payload?: string
}

export const documentId = (id: string, channel: DeliveryChannel): string => `${id}:${channel}`

let lastOrder = 0

const nextOrder = (): number => {
  lastOrder = Math.max(lastOrder + 1, Date.now() * 1000)
  return lastOrder
}

export function newDocument(delivery: NewDelivery): DeliveryDocument {
  const isFailed = delivery.failed !== undefined
  return {
    id: delivery.id,
    channel: delivery.channel,
    subscription_id: delivery.subscriptionId,
    event_id: delivery.eventId,
    collection: delivery.collection,
    document_id: delivery.documentId,
    type: delivery.type,
    state: isFailed ? 'FAILED' : 'PENDING',
    created_at: delivery.createdAt,
    order: nextOrder(),
    is_unmade: isFailed,
    attempts: 0,
    earlier_attempts: 0,
    manual: false,
    next_attempt_at: isFailed ? null : delivery.createdAt * 1000,
    last_status: null,
    last_error: delivery.failed ?? null,
    delivered_at: null,
    attempt_log: [],
    payload: delivery.payload,
  }
}

export const toDelivery = (document: DeliveryDocument): Delivery => ({
  id: document.id,
  subscriptionId: document.subscription_id,
  channel: document.channel,
  eventId: document.event_id,
  collection: document.collection,
  documentId: document.document_id,
  type: document.type,
  payload: document.payload ?? '',
  createdAt: document.created_at,
  state: document.state,
  attempts: document.attempts,
  earlierAttempts: document.earlier_attempts,
  manual: document.manual,
  ...(document.state === 'PENDING' ? { nextAttemptAt: document.next_attempt_at ?? 0 } : {}),
  ...(document.last_status === null ? {} : { lastStatus: document.last_status }),
  ...(document.last_error === null ? {} : { lastError: document.last_error }),
  ...(document.delivered_at === null ? {} : { deliveredAt: document.delivered_at }),
})

/** Converts a filter to query conditions. */
export function filterQuery(filter: DeliveryFilter, ...others: readonly WireObject[]): WireObject {
  const { subscriptionId, id, state, channel, before, after } = filter
  return {
    bool: {
      filter: [
        { term: { subscription_id: subscriptionId } },
        ...(id === undefined ? [] : [{ term: { id } }]),
        ...(state === undefined ? [] : [{ term: { state } }]),
        ...(channel === undefined ? [] : [{ term: { channel } }]),
        ...(before === undefined ? [] : [{ range: { created_at: { lte: before } } }]),
        ...(after === undefined ? [] : [{ range: { created_at: { gte: after } } }]),
        ...others,
      ],
    },
  }
}
