/**
 * Rule that refused a target (spec 4.6). All address rules share one value, so that responses cannot be used to map a
 * network.
 */
export type EgressRule = 'url' | 'scheme' | 'userinfo' | 'port' | 'host' | 'address'

const NAMES: Readonly<Record<EgressRule, string | undefined>> = {
  url: 'it must be an absolute URL',
  scheme: 'its scheme is not allowed',
  userinfo: 'it must have a host, and no user name, password or fragment',
  port: 'its port is not allowed',
  host: 'its host must not be a local name',
  address: undefined,
}

/** The target must not be called. Nothing was sent. */
export class EgressDenied extends Error {
  readonly rule: EgressRule

  constructor(rule: EgressRule) {
    const name = NAMES[rule]
    super(name === undefined ? 'not allowed by the egress rules' : `not allowed by the egress rules: ${name}`)
    this.name = 'EgressDenied'
    this.rule = rule
  }
}

/** The host name has no address. */
export class NameNotResolved extends Error {
  constructor(cause?: unknown) {
    super('the name does not resolve', { cause })
    this.name = 'NameNotResolved'
  }
}
