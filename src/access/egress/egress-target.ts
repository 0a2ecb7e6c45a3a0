import { EgressDenied } from './egress-denied.ts'
import { type IpBytes, readIp } from './ip-bytes.ts'

/** A URL someone gave, taken apart once; everything later looks at this (spec 4.6 rules 1 to 3). */
export interface EgressTarget {
  readonly url: URL
  readonly scheme: 'http' | 'https'
  /** Lower case, without brackets and a trailing dot. */
  readonly host: string
  readonly port: number
  /** Of an address in whatever spelling; absent: the host is a name. */
  readonly address?: IpBytes
}

export function readTarget(text: string): EgressTarget {
  const url = parseUrl(text)
  const scheme = url.protocol.slice(0, -1)
  if (scheme !== 'http' && scheme !== 'https') throw new EgressDenied('scheme')
  // An empty fragment leaves no trace in the parsed URL but its sign.
  const hasFragment = url.hash !== '' || url.href.endsWith('#')
  if (url.username !== '' || url.password !== '' || hasFragment) throw new EgressDenied('userinfo')
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (host === '') throw new EgressDenied('userinfo')
  // So that it is also the name in Host and in the certificate.
  if (url.hostname.endsWith('.')) url.hostname = host
  const address = readIp(host)
  const port = url.port === '' ? (scheme === 'https' ? 443 : 80) : Number(url.port)
  return { url, scheme, host, port, ...(address === undefined ? {} : { address }) }
}

function parseUrl(text: string): URL {
  const url = URL.parse(text)
  if (url === null) throw new EgressDenied('url')
  return url
}

const LOCAL_SUFFIXES = ['.localhost', '.local', '.internal', '.home.arpa']

/** A name that means something of this machine or its surroundings (rule 5). */
export function isLocalName(host: string): boolean {
  if (!host.includes('.')) return true
  // `home.arpa` has a dot of its own, so it is the one suffix a name can be equal to.
  return LOCAL_SUFFIXES.some((suffix) => host.endsWith(suffix) || `.${host}` === suffix)
}
