import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { type AccessTexts, listOf, restoreAccess, type StoredAccess } from '../access/access-texts.ts'
import { keyFileOf } from '../access/api-key-file.ts'
import { ApiKeys } from '../access/api-keys.ts'
import type { Identity } from '../access/identity.ts'
import { KnownRights } from '../access/known-rights.ts'
import type { Rights } from '../access/rights.ts'
import type { Settings } from '../config/settings.ts'
import { accessTexts, headerText } from './access-headers.ts'
import { findCredentials } from './auth-credentials.ts'
import { queryTokenOf } from './auth-query-token.ts'
import type { Caller } from './caller.ts'
import { FailedLogins } from './failed-logins.ts'
import { isTrustedProxy } from './trusted-proxy.ts'

/** A caller with what its rules allow; on public paths they are not asked. */
export interface FoundCaller extends Caller {
  readonly allows: (method: string, path: string) => boolean
}

/** Finds out who sent a request. Credentials that are wrong make nobody of the caller, whatever is wrong with them. */
export type FindCaller = (request: FastifyRequest) => Promise<FoundCaller>

type Identify = (request: FastifyRequest) => Promise<Identity | undefined>

export function callerFinder(settings: Settings, log: FastifyBaseLogger, now: () => number): FindCaller {
  const { auth, access } = settings
  const rights = new KnownRights(auth, (reason) => log.warn({ reason }, 'a permission is ignored'))
  const identify = identifier(settings, log, now)
  const isFromProxy = (request: FastifyRequest): boolean =>
    auth.modes.includes('header') && isTrustedProxy(request.raw.socket.remoteAddress, settings.server.trustedProxies)

  return async (request) => {
    const { headers } = request.raw
    const identity = await identify(request)
    const held = identity === undefined ? rights.ofAnonymous() : rights.of(identity)
    const sent = isFromProxy(request) ? present(accessTexts(headers)) : {}
    const texts = { ...textsOf(identity, held), ...sent }
    const narrowed =
      identity === undefined ? texts : withinOrganisations(texts, headerText(headers, 'arlas-org-filter'))
    const stored: StoredAccess = {
      ...narrowed,
      granted: sent.partition === undefined,
      ...(identity === undefined ? { publicOnly: true } : {}),
    }
    return {
      access: restoreAccess(stored, access),
      stored,
      ...(identity === undefined ? {} : { identity }),
      allows: (method, path) => identity !== undefined && held.allows(method, path),
    }
  }
}

function identifier(settings: Settings, log: FastifyBaseLogger, now: () => number): Identify {
  const { auth, server } = settings
  if (auth.modes.includes('header')) {
    return async (request) =>
      isTrustedProxy(request.raw.socket.remoteAddress, server.trustedProxies)
        ? namedByProxy(request.raw.headers, auth.header)
        : undefined
  }
  const modes = { apikey: auth.modes.includes('apikey'), jwt: auth.modes.includes('jwt') }
  const keys = new ApiKeys({
    file: keyFileOf(settings),
    now,
    onFault: (reason) => log.error({ reason }, 'no API key counts'),
  })
  const onFault = (err: unknown): void => log.warn({ err }, 'the keys of the issuer cannot be used')
  // Those who have no tokens need not load what reads them.
  const tokens = modes.jwt
    ? import('../access/tokens.ts').then(({ Tokens }) => new Tokens({ settings: auth.jwt, now, onFault }))
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
        // Nobody guesses a signature: those that are right are never slowed.
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

/** What permissions and organisations of a caller make of the three headers (spec 9.4). */
function textsOf(identity: Identity | undefined, { texts }: Rights): AccessTexts {
  const own = identity?.organisations
  if (own === undefined) return texts
  return { ...texts, organisations: [...own, ...listOf(texts.organisations ?? '')].join(',') }
}

/** `arlas-org-filter` narrows to those of the listed organisations the caller has. */
function withinOrganisations(texts: AccessTexts, filter: string | undefined): AccessTexts {
  const { organisations } = texts
  if (organisations === undefined || filter === undefined || filter.trim() === '') return texts
  const wanted = listOf(filter)
  return {
    ...texts,
    organisations: listOf(organisations)
      .filter((one) => wanted.includes(one))
      .join(','),
  }
}

const present = (texts: AccessTexts): AccessTexts =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined))
