import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { listOf } from '../../access/access-texts.ts'
import type { Identity } from '../../access/identity.ts'
import { keyFileOf } from '../../access/keys/api-key-file.ts'
import { ApiKeys } from '../../access/keys/api-keys.ts'
import { readPublicPaths } from '../../access/public-paths.ts'
import { type CallerRights, explores, textsOf } from '../../access/rights/caller-rights.ts'
import { KnownRights } from '../../access/rights/known-rights.ts'
import { restoreAccess, type StoredAccess } from '../../access/rights/stored-access.ts'
import { writerOf } from '../../access/rights/writer.ts'
import type { Settings } from '../../config/settings.ts'
import { queryTokenOf } from '../request/auth-query-token.ts'
import type { Caller } from '../request/caller.ts'
import { peerAddress } from '../request/peer-address.ts'
import { isTrustedProxy } from '../request/trusted-proxy.ts'
import { accessTexts, headerText } from './access-headers.ts'
import { findCredentials } from './auth-credentials.ts'
import { FailedLogins } from './failed-logins.ts'

/** Identifies the caller of a request. Wrong credentials of any kind yield a caller without identity. */
export type FindCaller = (request: FastifyRequest) => Promise<FoundCaller>

/** A caller with the permissions of its rules. */
interface FoundCaller extends Caller {
  readonly allows: CallerRights['allows']
}

type Identify = (request: FastifyRequest) => Promise<Identity | undefined>

export function callerFinder(settings: Settings, log: FastifyBaseLogger, now: () => number): FindCaller {
  const { auth, access } = settings
  const rights = new KnownRights(auth, (reason) => log.warn({ reason }, 'an invalid permission is ignored'))
  const identify = identifier(settings, log, now)
  const isFromProxy = (request: FastifyRequest): boolean =>
    auth.modes.includes('header') && isTrustedProxy(peerAddress(request), settings.server.trustedProxies)

  const isPublic = readPublicPaths(auth.publicPaths)

  return async (request) => {
    const { headers } = request.raw
    const identity = await identify(request)
    const held = identity === undefined ? rights.ofAnonymous() : rights.of(identity)
    const sent = isFromProxy(request) ? accessTexts(headers) : undefined
    const within = headerText(headers, 'arlas-org-filter')
    const allows: CallerRights['allows'] = (method, path) =>
      isPublic(method, path) || (identity !== undefined && held.allows(method, path))
    const stored: StoredAccess = {
      ...textsOf(identity, held, { sent, within }),
      granted: sent?.partition === undefined,
      ...(identity === undefined ? { publicOnly: true } : { writer: writerOf(identity, { sent, within }) }),
    }
    const caller = { stored, allows }
    if (identity === undefined) return { ...caller, access: restoreAccess(stored, access) }
    const rules = { explores: (collection: string) => explores(allows, collection) }
    return { ...caller, identity, access: { ...restoreAccess(stored, access), ...rules } }
  }
}

function identifier(settings: Settings, log: FastifyBaseLogger, now: () => number): Identify {
  const { auth, server } = settings
  if (auth.modes.includes('header')) {
    return async (request) =>
      isTrustedProxy(peerAddress(request), server.trustedProxies)
        ? namedByProxy(request.raw.headers, auth.header)
        : undefined
  }
  const modes = { apikey: auth.modes.includes('apikey'), jwt: auth.modes.includes('jwt') }
  const keys = new ApiKeys({
    file: keyFileOf(settings),
    now,
    onFault: (reason) => log.error({ reason }, 'no API key is accepted'),
  })
  const onFault = (err: unknown): void => log.warn({ err }, 'the keys of the issuer could not be loaded')
  // Loads the JWT code only if tokens are enabled.
  const tokens = modes.jwt
    ? import('../../access/tokens/tokens.ts').then(({ Tokens }) => new Tokens({ settings: auth.jwt, now, onFault }))
    : undefined
  const failed = new FailedLogins(settings, now)
  return async (request) => {
    const { raw } = request
    const inQuery = auth.queryToken && (raw.method === 'GET' || raw.method === 'HEAD') ? queryTokenOf(raw) : undefined
    const credentials = findCredentials(raw.headers, inQuery, modes)
    switch (credentials?.kind) {
      case 'key': {
        const { id, secret } = credentials
        return failed.guard(request, `${id}.${secret}`, () => keys.identify(id, secret))
      }
      case 'token': {
        // Signatures cannot be guessed, so valid tokens are never throttled.
        const identity = await (await tokens)?.identify(credentials.token)
        if (identity === undefined) failed.count(request)
        return identity
      }
      case 'unreadable':
        failed.count(request)
        return undefined
      default:
        return undefined
    }
  }
}

function namedByProxy(headers: IncomingHttpHeaders, names: Settings['auth']['header']): Identity | undefined {
  const user = headerText(headers, names.user.toLowerCase())?.trim()
  if (user === undefined || user === '') return undefined
  const roles = listOf(headerText(headers, names.groups.toLowerCase()) ?? '')
  return { mode: 'header', user, roles, permissions: [] }
}
