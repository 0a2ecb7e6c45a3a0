import type { FastifyReply, FastifyRequest } from 'fastify'
import { problem } from '../../errors.ts'
import { fileName } from '../../formats/file-name.ts'
import { preferredType } from './accept.ts'
import { readParameters } from './parameters.ts'

/** Formats of document answers, by value of the parameter `format`. */
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

const mediaTypesOf = (names: readonly FormatName[]): readonly string[] => names.map((name) => formats[name].type)

/**
 * Chooses the format of an answer: the parameter `format` if given, else the Accept header. The first offered format is
 * the server's preference. Throws a 406 that lists the offered formats if none fits.
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
    reason: `must accept ${listed(mediaTypesOf(offered))}`,
  })
}

/** Adds Accept to the Vary header. */
export const varyByAccept = (reply: FastifyReply): FastifyReply =>
  reply.header('vary', `accept, ${reply.getHeader('vary') ?? ''}`)

const listed = (words: readonly string[]): string => `one of ${words.join(', ')}`

/** Makes the answer a download, named after its collection. */
export function attach(reply: FastifyReply, name: string, extension: string): void {
  reply.header('content-disposition', `attachment; filename="${fileName(name)}.${extension}"`)
}
