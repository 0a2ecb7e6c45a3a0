/** Secrets that sign the notifications of a subscription. Times in seconds. */
export interface SubscriptionSecret {
  /** `whsec_` followed by base64. */
  readonly secret: string
  readonly createdAt: number
  /** True if it was ever returned to a client. */
  readonly shown: boolean
  /** The former secret, which also signs until it expires. */
  readonly previous?: { readonly secret: string; readonly expiresAt: number }
}

/** Encrypted at rest when `secrets.key` is set. Calls reject with STORE_UNAVAILABLE. */
export interface SecretStore {
  get(subscriptionId: string): Promise<SubscriptionSecret | undefined>
  put(subscriptionId: string, secret: SubscriptionSecret): Promise<void>
  close(): Promise<void>
}
