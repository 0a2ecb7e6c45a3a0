import type { Settings } from '../../config/settings.ts'

const YEAR_SECONDS = 31_536_000

/** What the pages need of a browser: to copy commands. */
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

/**
 * Headers of every answer, errors included, that tell browsers what not to do with it. Pages replace the policy of
 * their content and who may embed them.
 */
export function securityHeaders({ server }: Pick<Settings, 'server'>): Readonly<Record<string, string>> {
  const isSecure = server.publicUrl?.toLowerCase().startsWith('https:') === true
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
    // Data are no pages: nothing in them is loaded or run.
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    // Tiles and icons are images in the pages of dashboards, which may be of other origins; CORS guards the rest.
    'cross-origin-resource-policy': 'cross-origin',
    'permissions-policy': PERMISSIONS.map((name) => `${name}=()`).join(', '),
    ...(isSecure ? { 'strict-transport-security': `max-age=${YEAR_SECONDS}` } : {}),
  }
}
