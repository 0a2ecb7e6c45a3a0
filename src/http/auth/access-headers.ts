import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AccessTexts } from '../../access/access-texts.ts'
import { isNarrowed } from '../../access/narrowing.ts'
import { problem } from '../../errors.ts'
import { callerAccess, callerIdentity } from '../request/caller.ts'
import { routePattern } from './auth-path.ts'

/** Returns the headers that narrow a view (spec 9.1 to 9.3), unparsed. */
export function accessTexts(headers: IncomingHttpHeaders): AccessTexts {
  return {
    partition: headerText(headers, 'partition-filter'),
    columns: headerText(headers, 'column-filter'),
    organisations: headerText(headers, 'arlas-organization'),
  }
}

/** Returns a header, decoded as UTF-8 if it is not ASCII: Node decodes header bytes as Latin-1. */
export function headerText(headers: IncomingHttpHeaders, name: string): string | undefined {
  const header = headers[name]
  const text = Array.isArray(header) ? header.join(',') : header
  if (text === undefined || !/[\x80-\xff]/.test(text)) return text
  const decoded = Buffer.from(text, 'latin1').toString('utf8')
  return decoded.includes('\ufffd') ? text : decoded
}

/**
 * Refuses callers with a narrowed view on whole indices, metrics and event outcomes. Raw documents ignore columns,
 * partitions and organisations, and the outcome of an event reveals documents and subscriptions of others. For a caller
 * with an identity, access to indices is granted by its rules, whatever its organisations.
 */
export function refuseNarrowed(app: FastifyInstance, aliases: readonly string[]): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    if (isNarrowedCaller(request) && CLOSED.test(`${request.method} ${routePattern(request, aliases)}`)) {
      throw problem('FORBIDDEN', { reason: 'The path cannot be used, because the view of the caller is narrowed' })
    }
    done(null, payload)
  })
}

/** Matched against the route, because the same path can be spelled in many ways. */
const CLOSED = /^(?:\w+ \/(?:index|load|metrics)(?:\/|$)|(?:GET|HEAD) \/events\/)/

function isNarrowedCaller(request: FastifyRequest): boolean {
  const access = callerAccess(request)
  return isNarrowed(access) || (access.organisations !== undefined && callerIdentity(request) === undefined)
}
