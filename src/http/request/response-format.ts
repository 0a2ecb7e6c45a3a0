import type { FastifyReply, FastifyRequest } from 'fastify'
import { problem } from '../../errors.ts'
import { fileName } from '../../formats/file-name.ts'
import { preferredType } from './accept.ts'
import { readParameters } from './parameters.ts'

/** Every form an answer of documents can have, by the word of the parameter `format`. */
export const formats = {
  json: { type: 'application/json', extension: 'json' },
  atom: { type: 'application/atom+xml', extension: 'xml' },
  geojsonl: { type: 'application/x-ndjson', extension: 'geojsonl' },
  csv: { type: 'text/csv', extension: 'csv' },
  geoparquet: { type: 'application/vnd.apache.parquet', extension: 'parquet' },
  flatgeobuf: { type: 'application/flatgeobuf', extension: 'fgb' },
  shapefile: { type: 'application/zip', extension: 'zip' },
} as const

export type FormatName = keyof typeof formats

export const mediaTypesOf = (names: readonly FormatName[]): readonly string[] => names.map((name) => formats[name].type)

/**
 * The form an answer takes, decided here alone: the parameter `format` where it is given, else the Accept header; the
 * first offered is the server's preference. What is not offered is a 406 that lists what is.
 */
export function chooseFormat<F extends FormatName>(
  request: FastifyRequest,
  reply: FastifyReply,
  offered: readonly F[],
): F {
  varyByAccept(reply)
  const asked = readParameters(request).text('format')
  if (asked !== undefined) {
    const found = offered.find((name) => name === asked.toLowerCase())
    if (found !== undefined) return found
    throw problem('NOT_ACCEPTABLE', { parameter: 'format', value: asked, reason: `must be ${listed(offered)}` })
  }
  const { accept } = request.headers
  const type = preferredType(accept, mediaTypesOf(offered))
  const found = offered.find((name) => formats[name].type === type)
  if (found !== undefined) return found
  throw problem('NOT_ACCEPTABLE', {
    parameter: 'Accept',
    value: accept,
    reason: `must allow ${listed(mediaTypesOf(offered))}`,
  })
}

/** Tells caches that another Accept header may get another answer. */
export const varyByAccept = (reply: FastifyReply): FastifyReply =>
  reply.header('vary', `accept, ${reply.getHeader('vary') ?? ''}`)

const listed = (words: readonly string[]): string => `one of ${words.join(', ')}`

/** Names a download after its collection. */
export function attach(reply: FastifyReply, name: string, extension: string): void {
  reply.header('content-disposition', `attachment; filename="${fileName(name)}.${extension}"`)
}
