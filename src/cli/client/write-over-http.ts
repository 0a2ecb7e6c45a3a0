import type { WriteResult } from '../../engine/engine.ts'
import type { OutgoingDocument } from '../../ingest/load/load-target.ts'
import { isRecord } from '../../model/json/json-object.ts'
import { CliFault } from '../terminal/cli-fault.ts'
import { type Answer, type Connection, readAnswer } from './connection.ts'

/** Writes documents with the bulk API of a server. */
export async function writeOverHttp(
  send: Connection['send'],
  index: string,
  documents: readonly OutgoingDocument[],
): Promise<readonly WriteResult[]> {
  const lines = documents.map(
    ({ id, text }) => `${JSON.stringify({ index: id === undefined ? {} : { _id: id } })}\n${text}\n`,
  )
  const answer: Answer = await send(
    'POST',
    `/index/${encodeURIComponent(index)}/_bulk`,
    lines.join(''),
    'application/x-ndjson',
  )
  const content = readAnswer(answer, 'the server')
  const items = isRecord(content) && Array.isArray(content.items) ? content.items : []
  if (items.length !== documents.length) {
    throw new CliFault(
      `The response has results for ${items.length} of ${documents.length} documents: check that it is a Periplus server.`,
    )
  }
  return items.map(readItem)
}

function readItem(item: unknown): WriteResult {
  const outcome = isRecord(item) && isRecord(item.index) ? item.index : {}
  const id = typeof outcome._id === 'string' ? outcome._id : ''
  if (!isRecord(outcome.error)) return { ok: true, id, result: outcome.result === 'updated' ? 'updated' : 'created' }
  const { type, reason } = outcome.error
  return { ok: false, id, status: 400, type: String(type), reason: String(reason) }
}
