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

/** A notification to be delivered; its bytes never change. */
export interface NewDelivery {
  /** `webhook-id`. */
  readonly id: string
  readonly subscriptionId: string
  readonly channel: DeliveryChannel
  readonly eventId: string
  readonly collection: string
  readonly documentId: string
  /** `hit.update`, ... */
  readonly type: string
  /** The notification, compact JSON. */
  readonly payload: string
  /** s */
  readonly createdAt: number
  /** Set when it cannot be made: the delivery is FAILED from the start, with no attempt. */
  readonly failed?: DeliveryError
}

export interface Delivery extends NewDelivery {
  readonly state: DeliveryState
  readonly attempts: number
  /** ms; when the next attempt is due. */
  readonly nextAttemptAt?: number
  readonly lastStatus?: number
  readonly lastError?: DeliveryError
  /** s */
  readonly deliveredAt?: number
  /** Attempts made before its schedule began anew, by a redelivery. */
  readonly earlierAttempts: number
  /** The next attempt was asked for by someone. */
  readonly manual: boolean
}

export interface Attempt {
  readonly number: number
  /** s */
  readonly at: number
  readonly durationMs: number
  readonly status?: number
  readonly error?: DeliveryError
  readonly cause: 'schedule' | 'manual' | 'test'
}
