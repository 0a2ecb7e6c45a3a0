export type DeliveryState = 'PENDING' | 'DELIVERING' | 'DELIVERED' | 'FAILED' | 'CANCELLED'

export type DeliveryChannel = 'webhook' | 'kafka'

export type DeliveryError =
  | 'GONE'
  | 'REDIRECT'
  | 'HTTP_STATUS'
  | 'TIMEOUT'
  | 'DNS'
  | 'CONNECT'
  | 'TLS'
  | 'EGRESS_DENIED'
  | 'INVALID_FILTER'

/** A notification to deliver. Its payload never changes. */
export interface NewDelivery {
  /** `webhook-id`. */
  readonly id: string
  readonly subscriptionId: string
  readonly channel: DeliveryChannel
  readonly eventId: string
  readonly collection: string
  readonly documentId: string
  /** For example `hit.update`. */
  readonly type: string
  /** Compact JSON. */
  readonly payload: string
  /** Seconds. */
  readonly createdAt: number
  /** Set if the notification cannot be created. The delivery is then FAILED from the start, without an attempt. */
  readonly failed?: DeliveryError
}

export interface Delivery extends NewDelivery {
  readonly state: DeliveryState
  readonly attempts: number
  /** Milliseconds. Time of the next attempt. */
  readonly nextAttemptAt?: number
  readonly lastStatus?: number
  readonly lastError?: DeliveryError
  /** Seconds. */
  readonly deliveredAt?: number
  /** Attempts before the schedule was restarted by a redelivery. */
  readonly earlierAttempts: number
  /** True if the next attempt was requested manually. */
  readonly manual: boolean
}

export type Attempt = {
  readonly number: number
  /** Seconds. */
  readonly at: number
  readonly durationMs: number
  readonly status?: number
  readonly error?: DeliveryError
  readonly cause: 'schedule' | 'manual' | 'test'
}
