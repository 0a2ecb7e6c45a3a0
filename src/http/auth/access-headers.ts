import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AccessTexts } from '../../access/access-texts.ts'
import { isNarrowed } from '../../access/narrowing.ts'
import { problem } from '../../errors.ts'
import { callerAccess, callerIdentity } from '../request/caller.ts'
import { routePattern } from './auth-path.ts'

/** The headers that narrow a view (spec 9.1 to 9.3), as they were sent. */
export function accessTexts(headers: IncomingHttpHeaders): AccessTexts {
  return {
    partition: headerText(headers, 'partition-filter'),
    columns: headerText(headers, 'column-filter'),
    organisations: headerText(headers, 'arlas-organization'),
  }
}

/** Header bytes arrive as Latin-1; texts beyond ASCII are sent as UTF-8. */
export function headerText(headers: IncomingHttpHeaders, name: string): string | undefined {
  const header = headers[name]
  const text = Array.isArray(header) ? header.join(',') : header
  if (text === undefined || !/[\x80-\xff]/.test(text)) return text
  const decoded = Buffer.from(text, 'latin1').toString('utf8')
  return decoded.includes('\ufffd') ? text : decoded
}

/**
 * Whole indices and their figures are for callers whose view nothing narrows: raw documents know no columns, partitions
 * and organisations. Of a caller with an identity, a rule says that it may use them, whatever its organisations are. What
 * became of an event tells of documents and subscriptions of others.
 */
export function refuseNarrowed(app: FastifyInstance, aliases: readonly string[]): void {
  app.addHook('preParsing', async (request) => {
    if (!CLOSED.test(`${request.method} ${routePattern(request, aliases)}`) || !isNarrowedCaller(request)) return
    throw problem('FORBIDDEN', { reason: 'This is not open to a caller whose view is narrowed' })
  })
}

/** By the route: the same path can be written in many ways. */
const CLOSED = /^(?:\w+ \/(?:index|metrics)(?:\/|$)|(?:GET|HEAD) \/events\/)/

function isNarrowedCaller(request: FastifyRequest): boolean {
  const access = callerAccess(request)
  return isNarrowed(access) || (access.organisations !== undefined && callerIdentity(request) === undefined)
}
