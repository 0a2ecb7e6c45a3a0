import { EgressDenied } from './egress-denied.ts'
import { type IpBytes, readIp } from './ip-bytes.ts'

/** A user-given URL, parsed once. All later checks use this object (spec 4.6 rules 1 to 3). */
export interface EgressTarget {
  readonly url: URL
  readonly scheme: 'http' | 'https'
  /** Lower case, without brackets or trailing dot. */
  readonly host: string
  readonly port: number
  /** Set if the host is an address, in any spelling. Absent if it is a name. */
  readonly address?: IpBytes
}

export function readTarget(text: string): EgressTarget {
  const url = parseUrl(text)
  const scheme = url.protocol.slice(0, -1)
  if (scheme !== 'http' && scheme !== 'https') throw new EgressDenied('scheme')
  // An empty fragment is visible only as a trailing `#` of the parsed URL.
  const hasFragment = url.hash !== '' || url.href.endsWith('#')
  if (url.username !== '' || url.password !== '' || hasFragment) throw new EgressDenied('userinfo')
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (host === '') throw new EgressDenied('userinfo')
  // The Host header and the certificate check then use the same name.
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

/** True for a name of this machine or of its local network (rule 5). */
export function isLocalName(host: string): boolean {
  if (!host.includes('.')) return true
  // The second test is for `home.arpa`, the only suffix that contains a dot.
  return LOCAL_SUFFIXES.some((suffix) => host.endsWith(suffix) || `.${host}` === suffix)
}
