import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Engine, IndexInfo, WriteOptions } from '../../../engine/engine.ts'
import { problem } from '../../../errors.ts'
import { hasLongNumber, withExactIntegers } from '../../../model/json/exact-json.ts'
import { isRecord } from '../../../model/json/json-object.ts'
import { rawBody, readJsonBody, readTextBody } from '../../request/body/json-body.ts'
import { requestSignal } from '../../request/caller.ts'
import { rawQuery, readParameters } from '../../request/parameters.ts'

export interface Named {
  Params: { index: string }
}

/** `_all` is a synonym of `*`. */
export const patternOf = (name: string): string => (name === '_all' ? '*' : name)

/** Returns the indices named by a path. A pattern may match none; a plain name must exist. */
export async function existing(engine: Engine, request: FastifyRequest<Named>): Promise<readonly IndexInfo[]> {
  const name = request.params.index
  const infos = await engine.indices(patternOf(name), requestSignal(request))
  if (infos.length === 0 && !name.includes('*') && name !== '_all') throw problem('INDEX_NOT_FOUND', { name })
  return infos
}

/** True if writes must be visible before the answer: `refresh`, alone or with `true` or `wait_for`. */
export function wantsRefresh(request: FastifyRequest): boolean {
  const value = new URLSearchParams(rawQuery(request.raw.url ?? '')).get('refresh')
  if (value === null || value === 'false') return false
  if (value === '' || value === 'true' || value === 'wait_for') return true
  throw problem('INVALID_PARAMETER', { parameter: 'refresh', reason: 'must be true, false or wait_for', value })
}

/** Each request gets its own load id. `events=false` suppresses notifications. */
export function writeOptions(request: FastifyRequest): WriteOptions {
  const isSilent = readParameters(request).boolean('events') === false
  return { load: randomUUID(), ...(isSilent ? { silent: true } : {}) }
}

/** Returns the body of a request, `{}` if absent. */
export function bodyObject(request: FastifyRequest): Readonly<Record<string, unknown>> {
  if (rawBody(request).length === 0) return {}
  const body = readJsonBody(request)
  if (isRecord(body)) return body
  throw problem('INVALID_BODY', { parameter: 'body', reason: 'must be an object', value: body })
}

/** As `bodyObject`, with integers beyond 2^53 as texts of digits. */
export function exactBodyObject(request: FastifyRequest): Readonly<Record<string, unknown>> {
  const body = bodyObject(request)
  const text = readTextBody(request)
  return hasLongNumber(text) ? withExactIntegers(text) : body
}
