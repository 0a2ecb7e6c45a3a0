import { publicPaths } from '../../access/public-paths.ts'
import type { Settings } from '../../config/settings.ts'
import { ALWAYS_OPEN } from '../auth/auth.ts'
import type { DescribedRoute, Schema } from './described-route.ts'

/** Authentication schemes by name. */
export function securitySchemes({ auth }: Settings): Readonly<Record<string, Schema>> {
  const isKey = auth.modes.includes('apikey')
  const isBearer = isKey || auth.modes.includes('jwt')
  const { user } = auth.header
  return {
    ...(isKey
      ? {
          apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'API key as `<id>.<secret>`.' },
          apiKeyId: { type: 'apiKey', in: 'header', name: 'arlas-api-key-id' },
          apiKeySecret: { type: 'apiKey', in: 'header', name: 'arlas-api-key-secret' },
        }
      : {}),
    ...(isBearer ? { bearer: { type: 'http', scheme: 'bearer', description: bearerText(auth.modes) } } : {}),
    ...(isBearer && auth.queryToken
      ? {
          queryToken: {
            type: 'apiKey',
            in: 'query',
            name: 'access_token',
            description: 'Token or API key, for GET requests only.',
          },
        }
      : {}),
    ...(auth.modes.includes('header')
      ? { proxy: { type: 'apiKey', in: 'header', name: user, description: 'Accepted from trusted proxies only.' } }
      : {}),
  }
}

const bearerText = (modes: readonly string[]): string =>
  [modes.includes('jwt') ? 'Token of the issuer' : '', modes.includes('apikey') ? 'API key as `<id>.<secret>`' : '']
    .filter((text) => text !== '')
    .join(', or ')

/** Returns the alternative requirements of an operation: one per scheme, the pair of headers counting as one. */
export function securityRequirements(settings: Settings): readonly Schema[] {
  const names = Object.keys(securitySchemes(settings)).filter((name) => name !== 'apiKeySecret')
  return names.map((name) => (name === 'apiKeyId' ? { apiKeyId: [], apiKeySecret: [] } : { [name]: [] }))
}

/** True for paths that never require authentication. */
export const isOpen = (path: string): boolean => ALWAYS_OPEN.has(path.replaceAll(/\{(\w+)\}/g, ':$1'))

/** Returns the requirements that differ from those of the whole document; undefined if none do. */
export function operationSecurity({ method, path }: DescribedRoute, settings: Settings): readonly Schema[] | undefined {
  const all = securityRequirements(settings)
  if (all.length === 0) return undefined
  if (isOpen(path)) return []
  const isPublic = publicPaths(settings.auth.publicPaths)
  // Match the pattern itself: a path with parameters is documented as public only if it is public for all their values.
  if (isPublic(method, path.slice(1))) return [{}, ...all]
  const withoutQuery = all.filter((requirement) => !('queryToken' in requirement))
  return method === 'GET' || withoutQuery.length === all.length ? undefined : withoutQuery
}
