import type { Settings } from '../../config/settings.ts'

const YEAR_SECONDS = 31_536_000

/** Browser features that the pages do not use. Copying to the clipboard stays allowed. */
const PERMISSIONS = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
]

/** Security headers of every answer, including errors. Pages override the content policy and the embedding rules. */
export function securityHeaders({ server }: Pick<Settings, 'server'>): Readonly<Record<string, string>> {
  const isSecure = server.publicUrl?.toLowerCase().startsWith('https:') === true
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
    // Data answers load and run nothing.
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    // Dashboards of other origins embed tiles and icons as images; CORS guards everything else.
    'cross-origin-resource-policy': 'cross-origin',
    'permissions-policy': PERMISSIONS.map((name) => `${name}=()`).join(', '),
    ...(isSecure ? { 'strict-transport-security': `max-age=${YEAR_SECONDS}` } : {}),
  }
}
