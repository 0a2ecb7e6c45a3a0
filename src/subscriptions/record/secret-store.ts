/** The secrets that sign the notifications of a subscription. Times in seconds. */
export interface SubscriptionSecret {
  /** `whsec_` and base64. */
  readonly secret: string
  readonly createdAt: number
  /** Whether it was ever given out. */
  readonly shown: boolean
  /** The former one, which signs too until it expires. */
  readonly previous?: { readonly secret: string; readonly expiresAt: number }
}

/** Encrypted at rest when `secrets.key` is set. Calls reject with STORE_UNAVAILABLE. */
export interface SecretStore {
  get(subscriptionId: string): Promise<SubscriptionSecret | undefined>
  put(subscriptionId: string, secret: SubscriptionSecret): Promise<void>
  close(): Promise<void>
}
