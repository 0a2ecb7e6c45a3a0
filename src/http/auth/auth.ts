import type { FastifyInstance, FastifyRequest } from 'fastify'
import { restoreAccess } from '../../access/rights/stored-access.ts'
import type { Writer } from '../../access/rights/writer.ts'
import type { Settings } from '../../config/settings.ts'
import { problem } from '../../errors.ts'
import { onArrival } from '../on-arrival.ts'
import { takeQueryToken } from '../request/auth-query-token.ts'
import { callerIdentity, setCaller } from '../request/caller.ts'
import type { Right } from '../route-config.ts'
import { routePrefixes } from '../route-prefixes.ts'
import { accessTexts } from './access-headers.ts'
import { callerFinder, type FindCaller } from './auth-caller.ts'
import { apiKeyHeaders } from './auth-credentials.ts'
import { routePattern, rulePath } from './auth-path.ts'

interface AuthenticationOptions {
  readonly settings: Settings
  readonly now: () => number
  /** Called when the caller is identified, before its request is evaluated; refuses by throwing. */
  readonly admit: (request: FastifyRequest) => void
  /** Notified of every caller with its current permissions, whatever the result of the request. */
  readonly onCaller?: (writer: Writer) => void
}

/** Routes that need no credentials: health probes, and the page to sign in with, which contains no data. */
export const ALWAYS_OPEN = new Set(['/livez', '/readyz', '/', '/explorer/:file'])

/** True if callers must authenticate. */
export const isAuthenticating = ({ auth }: Pick<Settings, 'auth'>): boolean => !auth.modes.includes('none')

/** Sets Vary to the headers that answers depend on, so that caches do not share an answer between callers. */
export function markCallers(app: FastifyInstance, { auth }: Settings): void {
  const names = ['accept-encoding', 'Authorization', 'partition-filter', 'column-filter', 'arlas-organization']
  if (auth.modes.includes('apikey')) names.push(...apiKeyHeaders)
  if (auth.modes.includes('header')) names.push(auth.header.user, auth.header.groups)
  const vary = names.join(', ')
  onArrival(app, (request, reply) => {
    takeQueryToken(request.raw)
    reply.header('vary', vary)
  })
}

/** Identifies the caller, checks whether it may use the path (401, 403), and determines its view (spec 9.4 to 9.6). */
export function authenticate(app: FastifyInstance, options: AuthenticationOptions): void {
  const { settings, now, admit } = options
  const aliases = routePrefixes(settings)
  const isOpen = (request: FastifyRequest): boolean =>
    request.method === 'OPTIONS' || ALWAYS_OPEN.has(routePattern(request, aliases) ?? '')
  const identify = isAuthenticating(settings) ? refusing(options, callerFinder(settings, app.log, now)) : undefined
  if (identify !== undefined) {
    app.addHook('onRequest', async (request) => (isOpen(request) ? undefined : identify(request)))
    return
  }
  onArrival(app, (request) => {
    if (isOpen(request)) return
    const stored = accessTexts(request.raw.headers)
    setCaller(request, { access: restoreAccess(stored, settings.access), stored })
    admit(request)
  })
}

function refusing({ settings, admit, onCaller }: AuthenticationOptions, find: FindCaller) {
  return async (request: FastifyRequest): Promise<void> => {
    const { allows, ...caller } = await find(request)
    setCaller(request, caller)
    if (caller.stored.writer !== undefined) onCaller?.(caller.stored.writer)
    admit(request)
    if (neededRights(request, settings).every(({ method, path }) => allows(method, path))) return
    if (callerIdentity(request) !== undefined) throw problem('FORBIDDEN', {})
    throw problem('UNAUTHORIZED', {}, { 'WWW-Authenticate': 'Bearer' })
  }
}

const neededRights = (request: FastifyRequest, settings: Settings): readonly Right[] =>
  request.routeOptions.config.rights?.(request) ?? [
    { method: request.method, path: rulePath(request, routePrefixes(settings)) },
  ]

/** With authentication on, marks explore answers as private to the caller (spec 9.4). */
export function keepPrivate(app: FastifyInstance, settings: Settings): void {
  if (!isAuthenticating(settings)) return
  const prefixes = routePrefixes(settings)
  app.addHook('onSend', (request, reply, payload, done) => {
    if (/^\/(?:explore|ogc)\//.test(routePattern(request, prefixes) ?? '')) {
      const given = reply.getHeader('cache-control')
      reply.header('cache-control', given === undefined ? 'private' : `${String(given)}, private`)
    }
    done(null, payload)
  })
}
