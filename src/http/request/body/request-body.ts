import { Readable } from 'node:stream'
import { createGunzip, type Gunzip } from 'node:zlib'
import type { FastifyInstance, FastifyRequest, RequestPayload } from 'fastify'
import type { Limits } from '../../../config/settings.ts'
import { Problem, problem } from '../../../errors.ts'
import { ANY_FILE, JSON_TYPE } from '../../route-config.ts'
import { mediaType } from '../accept.ts'
import { inviteBody } from '../early-answer.ts'
import { bodyTooLarge } from '../request-problem.ts'

/**
 * Keeps bodies as bytes if the route accepts their media type (spec 1.3.1). Media type and encoding are checked before
 * the body is read; the size limit applies to decoded bytes.
 */
export function acceptBodies(app: FastifyInstance, limits: Limits): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.addHook('preParsing', (request, _reply, payload, done) => done(null, decodedBody(request, payload, limits)))
}

function decodedBody(request: FastifyRequest, payload: RequestPayload, limits: Limits): RequestPayload {
  if (!mayHaveBody(request)) {
    inviteBody(request.raw)
    return payload
  }
  checkMediaType(request)
  const isEncoded = isGzip(request)
  checkDeclaredSize(request, limits)
  inviteBody(request.raw)
  if (!isEncoded) return payload
  return gunzip(payload, () => bodyTooLarge(request, limits), request.routeOptions.bodyLimit)
}

function mayHaveBody(request: FastifyRequest): boolean {
  return request.method === 'POST' || request.method === 'PUT' || request.method === 'PATCH'
}

function checkMediaType(request: FastifyRequest): void {
  const header = request.headers['content-type']
  if (header === undefined) return
  const accepted = [JSON_TYPE, ...(request.routeOptions.config.accepts ?? [])]
  if (accepted.includes(mediaType(header))) return
  if (accepted.includes(ANY_FILE)) {
    if (mediaType(header) !== 'multipart/form-data') return
    const reason = 'must not be a form: send the file itself as the body'
    throw problem('UNSUPPORTED_MEDIA_TYPE', { parameter: 'Content-Type', value: header, reason })
  }
  throw problem('UNSUPPORTED_MEDIA_TYPE', {
    parameter: 'Content-Type',
    value: header,
    reason: `must be ${accepted.join(' or ')}`,
  })
}

/** Fastify checks this too, but only after `100 Continue` was sent. */
function checkDeclaredSize(request: FastifyRequest, limits: Limits): void {
  if (Number(request.headers['content-length']) > request.routeOptions.bodyLimit) throw bodyTooLarge(request, limits)
}

function isGzip(request: FastifyRequest): boolean {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  if (encoding === 'identity' || encoding === '') return false
  if (encoding === 'gzip' || encoding === 'x-gzip') return true
  throw problem('UNSUPPORTED_MEDIA_TYPE', {
    parameter: 'Content-Encoding',
    value: encoding,
    reason: 'must be gzip or absent',
  })
}

function gunzip(payload: RequestPayload, tooLarge: () => Problem, most: number): RequestPayload {
  const decoder = createGunzip()
  // The reader of the body gets the error. An unread body (Content-Length: 0) must not crash the process.
  decoder.on('error', () => {})
  // Stop decoding when the rest of a refused body is discarded.
  decoder.on('unpipe', () => {
    if (!decoder.writableEnded) decoder.destroy()
  })
  const decoded: RequestPayload = Readable.from(bounded(decoder, tooLarge, most), { objectMode: false })
  // Fastify removes its listener when the encoded body exceeds the limit; the decoded one may still fail later.
  decoded.on('error', () => {})
  // Fastify compares it with Content-Length.
  decoded.receivedEncodedLength = 0
  payload.on('data', (chunk: Buffer) => {
    decoded.receivedEncodedLength = (decoded.receivedEncodedLength ?? 0) + chunk.length
  })
  // Not `pipeline`: it would destroy the request and its socket before the answer is sent.
  payload.on('error', (error: Error) => decoder.destroy(error))
  payload.pipe(decoder)
  return decoded
}

/** Decoded bytes allowed at any compression ratio. */
const PLAIN_BYTES = 1024 * 1024
/** Maximum compression ratio. Documents reach 5 to 50, zeros 1000. */
const MOST_COMPRESSED = 200

/** Stops decoding when the size or ratio limit is exceeded, as protection against compression bombs. */
async function* bounded(decoder: Gunzip, tooLarge: () => Problem, most: number): AsyncGenerator<Buffer> {
  let bytes = 0
  try {
    for await (const chunk of decoder as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > most) throw tooLarge()
      if (bytes > PLAIN_BYTES && bytes > MOST_COMPRESSED * decoder.bytesWritten) {
        throw problem('BODY_TOO_LARGE', { reason: `must not have a compression ratio above ${MOST_COMPRESSED}` })
      }
      yield chunk
    }
  } catch (error) {
    if (error instanceof Problem) throw error
    throw problem('INVALID_BODY', { parameter: 'body', reason: 'must be gzip to match its Content-Encoding' })
  } finally {
    decoder.destroy()
  }
}
