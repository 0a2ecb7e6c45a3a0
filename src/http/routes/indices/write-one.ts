import type { FastifyRequest } from 'fastify'
import type { Engine } from '../../../engine/engine.ts'
import { problem } from '../../../errors.ts'
import { parseBulk } from '../../../ingest/bulk-request.ts'
import { itemResult } from '../../../ingest/bulk-response.ts'
import { READ_ONLY, runBulk } from '../../../ingest/run-bulk.ts'
import { readTextBody } from '../../request/body/json-body.ts'
import { bodyObject, wantsRefresh, writeOptions } from './index-request.ts'

interface OneAction {
  readonly action: 'index' | 'update'
  readonly index: string
  readonly id: string | undefined
}

/** Writes the document in the body, as a bulk request of one document, so that both follow the same rules. */
export async function writeOne(engine: Engine, request: FastifyRequest, { action, index, id }: OneAction) {
  const isSeen = wantsRefresh(request)
  const header = `${JSON.stringify({ [action]: id === undefined ? {} : { _id: id } })}\n`
  bodyObject(request)
  // Keep the original text, so that numbers keep their digits. JSON strings contain no raw line breaks.
  const body = readTextBody(request).replaceAll(/[\r\n]/g, ' ') || '{}'
  const items = parseBulk(Buffer.from(`${header}${body}\n`), index)
  const [result] = await runBulk(engine, items, writeOptions(request))
  const item = items[0]
  if (item === undefined || result === undefined) throw problem('INTERNAL_ERROR', {})
  if (!result.ok && result.type === READ_ONLY) throw problem('INDEX_READ_ONLY', { name: index })
  if (!result.ok && result.type === 'index_not_found_exception') throw problem('INDEX_NOT_FOUND', { name: index })
  if (!result.ok && result.status === 404) {
    throw problem('DOCUMENT_NOT_FOUND', { name: id ?? '', owner: `index ${index}` })
  }
  if (!result.ok) throw problem('INVALID_BODY', { parameter: 'document', reason: `was rejected: ${result.reason}` })
  if (isSeen) await engine.refresh(index)
  return itemResult(item, result)
}
