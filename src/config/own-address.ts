import type { Settings } from './settings.ts'

type TlsSettings = Pick<Settings, 'tls'>

/** Scheme at which the server itself answers. */
export const ownScheme = ({ tls }: TlsSettings): 'http' | 'https' => (tls.cert === undefined ? 'http' : 'https')

/** URL of the server at a host, without trailing slash. */
export function ownUrl(settings: TlsSettings, host: string, port: number): string {
  return `${ownScheme(settings)}://${host.includes(':') ? `[${host}]` : host}:${port}`
}
