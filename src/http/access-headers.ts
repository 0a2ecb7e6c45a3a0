import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Access } from '../access/access.ts'
import { parseColumnFilter } from '../access/column-filter.ts'
import { lazyPartitionFilter } from '../access/partition-filter.ts'
import { problem } from '../errors.ts'
import { callerAccess, setCallerAccess } from './caller.ts'

/** Caches must not give one caller what another was answered. */
const VARY = 'accept-encoding, authorization, partition-filter, column-filter, arlas-organization'

export interface AccessHeaderOptions {
  /** `access.checkOrganisations` */
  readonly checkOrganisations: boolean
}

/** Reads the headers that narrow a caller's view (spec 9.1 to 9.3) as soon as a request has come. */
export function readAccessHeaders(app: FastifyInstance, options: AccessHeaderOptions): void {
  app.addHook('onRequest', async (request, reply) => {
    setCallerAccess(request, accessOf(request.headers, options))
    reply.header('vary', VARY)
  })
}

/** Whole indices are for callers whose view nothing narrows: raw documents know no columns and no partitions. */
export function refuseNarrowed(app: FastifyInstance, isConcerned: (request: FastifyRequest) => boolean): void {
  app.addHook('preParsing', async (request) => {
    const { partition, columns, organisations, publicOnly } = callerAccess(request)
    const isNarrowed =
      partition !== undefined || columns !== undefined || organisations !== undefined || publicOnly === true
    if (!isNarrowed || !isConcerned(request)) return
    throw problem('FORBIDDEN', { reason: 'Index routes are not open to a caller whose view is narrowed' })
  })
}

/** A header that is there but empty narrows all the same. */
export function accessOf(headers: IncomingHttpHeaders, { checkOrganisations }: AccessHeaderOptions): Access {
  const partition = textOf(headers['partition-filter'])
  const columns = textOf(headers['column-filter'])
  const organisations = checkOrganisations ? textOf(headers['arlas-organization']) : undefined
  return {
    ...(partition === undefined || partition.trim() === '' ? {} : { partition: lazyPartitionFilter(partition) }),
    ...(columns === undefined ? {} : { columns: parseColumnFilter(columns) }),
    ...(organisations === undefined ? {} : { organisations: listOf(organisations) }),
  }
}

const listOf = (text: string): readonly string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

/** Header bytes arrive as Latin-1; texts beyond ASCII are sent as UTF-8. */
function textOf(header: string | string[] | undefined): string | undefined {
  const text = Array.isArray(header) ? header.join(',') : header
  if (text === undefined || !/[\x80-\xff]/.test(text)) return text
  const decoded = Buffer.from(text, 'latin1').toString('utf8')
  return decoded.includes('\ufffd') ? text : decoded
}
