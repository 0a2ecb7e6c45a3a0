import type { FastifyRequest } from 'fastify'
import { problem } from '../../../errors.ts'
import { JSON_TYPE } from '../../route-config.ts'
import { mediaType } from '../accept.ts'
import { rawBody } from './json-body.ts'

/**
 * Returns one field, text or file, of a form body (`multipart/form-data` or `application/x-www-form-urlencoded`);
 * undefined if missing.
 */
export async function readFormField(request: FastifyRequest, name: string): Promise<Uint8Array | undefined> {
  const form = await readForm(request)
  const field = form.get(name)
  if (field === null) return undefined
  return typeof field === 'string' ? new TextEncoder().encode(field) : new Uint8Array(await field.arrayBuffer())
}

async function readForm(request: FastifyRequest): Promise<FormData> {
  const type = request.headers['content-type']
  // Not a form, so no fields. The caller reports the missing field.
  if (type === undefined || mediaType(type) === JSON_TYPE) return new FormData()
  try {
    return await new Response(Buffer.from(rawBody(request)), { headers: { 'content-type': type } }).formData()
  } catch {
    throw problem('INVALID_BODY', { parameter: 'body', reason: `must be a form that matches its Content-Type ${type}` })
  }
}
