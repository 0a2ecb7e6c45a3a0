import type { FastifyReply, FastifyRequest } from 'fastify'

/** Supported content codings, in the server's order of preference. */
export const CODINGS: readonly Coding[] = ['zstd', 'br', 'gzip']
type Coding = 'zstd' | 'br' | 'gzip'

/** Minimum size of a compressed answer. */
export const LEAST_ENCODED_BYTES = 1024

/** Text types. Images and archives are compressed already. */
export const COMPRESSIBLE =
  /^(?:text\/(?!event-stream)|application\/(?:[^;]*[+/-])?(?:json|xml|javascript|x-ndjson|vnd\.mapbox-vector-tile)(?:;|$))/

/**
 * Chooses the coding of an answer of known size and passes it to the compression plugin. Needed because the ETag has to
 * be known before the plugin runs, and a 304 has no body for the plugin to encode.
 */
export function settleCoding(request: FastifyRequest, reply: FastifyReply, bytes: number): Coding | undefined {
  const { headers } = request.raw
  const isEncoded =
    // Header that makes the plugin skip compression.
    headers['x-no-compression'] === undefined &&
    bytes >= LEAST_ENCODED_BYTES &&
    COMPRESSIBLE.test(String(reply.getHeader('content-type') ?? ''))
  const coding = isEncoded ? preferredCoding(headers['accept-encoding']) : undefined
  headers['accept-encoding'] = coding ?? 'identity'
  return coding
}

/** Returns the coding that an Accept-Encoding header prefers (RFC 9110 12.5.3); undefined for none. */
export function preferredCoding(header: string | string[] | undefined): Coding | undefined {
  if (header === undefined) return undefined
  const qualities = new Map(String(header).split(',').map(parseItem))
  // `*` is sent by clients that cannot decode everything, but all of them know gzip.
  const anyOther = (name: Coding): number | undefined => (name === 'gzip' ? qualities.get('*') : undefined)
  const qualityOf = (name: Coding): number => qualities.get(name) ?? anyOther(name) ?? 0
  let best: Coding | undefined
  let bestQuality = qualities.get('identity') ?? 0
  for (const coding of CODINGS) {
    const quality = qualityOf(coding)
    if (quality > bestQuality || (best === undefined && quality > 0 && quality === bestQuality)) {
      best = coding
      bestQuality = quality
    }
  }
  return best
}

function parseItem(item: string): readonly [string, number] {
  const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, '')
  const quality = weight === undefined ? 1 : Number(weight)
  return [name === 'x-gzip' ? 'gzip' : name, Number.isNaN(quality) ? 1 : quality]
}
