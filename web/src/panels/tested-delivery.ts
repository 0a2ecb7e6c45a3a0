/** Result of a test message. */
export interface TestedDelivery {
  readonly state: string
  readonly last_error?: string
}

/** Returns why a test message was not delivered. */
export const testFault = ({ last_error, state }: TestedDelivery): string =>
  last_error === 'EGRESS_DENIED'
    ? 'this server may not call the address. An operator can allow it with the setting egress.allow'
    : (last_error ?? state)
