import { valueAt } from '../../model/json/json-object.ts'
import type { LoadReport, LoadTarget, OutgoingDocument } from '../load/load-target.ts'
import { type DocumentShape, shapeDocument } from '../plan/document-shape.ts'
import { isBroken, type Row } from '../row.ts'
import type { GrowingInput } from './growing-input.ts'
import { type LineFormat, takeRows } from './read-stretch.ts'

/** How rows that arrive become documents, and where they go. */
export interface Following {
  readonly index: string
  readonly shape: DocumentShape
  /** Field whose value is the document id. */
  readonly idPath?: string
  readonly format: LineFormat
}

export interface Followed {
  documents: number
  rejected: number
  bytes: number
  /** Lines of all files so far: the number of the last row. */
  lines: number
}

interface FollowOptions {
  readonly signal: AbortSignal
  /** Called when everything that was consumed is durable. */
  readonly save: (lines: number) => Promise<void>
}

/**
 * Writes rows as they arrive until the signal aborts or the input ends. Bytes count as consumed when their documents are
 * durable, so that after a crash some are written again, and none is missing.
 */
export async function followRows(
  input: GrowingInput,
  { index, shape, idPath, format }: Following,
  target: Pick<LoadTarget, 'write'>,
  report: LoadReport,
  followed: Followed,
  { signal, save }: FollowOptions,
): Promise<void> {
  const prepare = (row: Row): OutgoingDocument | { readonly reason: string; readonly text: string } => {
    if (isBroken(row)) return row
    const number = followed.lines + row.line
    const shaped = shapeDocument(row.document, number, shape)
    if (typeof shaped === 'string') return { reason: shaped, text: JSON.stringify(row.document) }
    const id = idPath === undefined ? undefined : valueAt(shaped, idPath)
    const text = JSON.stringify(shaped)
    if (id === '') return { reason: `has an empty ${idPath}`, text }
    const named = typeof id === 'string' || typeof id === 'number' ? { id: String(id) } : {}
    return { ...named, source: shaped, text, row: number }
  }
  const reject = (line: number, reason: string, text: string): void => {
    followed.rejected += 1
    report.reject([{ line, reason, text }])
  }
  for (let stretch = await input.next(signal); stretch !== undefined; stretch = await input.next(signal)) {
    const { rows, bytes, lines } = takeRows(stretch, format)
    const documents: OutgoingDocument[] = []
    for (const row of rows) {
      const prepared = prepare(row)
      if ('reason' in prepared) reject(followed.lines + row.line, prepared.reason, prepared.text)
      else documents.push(prepared)
    }
    const results = documents.length === 0 ? [] : await target.write(index, documents)
    for (const [i, result] of results.entries()) {
      if (result.ok) followed.documents += 1
      else reject(documents[i]?.row ?? 0, result.reason, documents[i]?.text ?? '')
    }
    followed.lines += lines
    followed.bytes += bytes
    await input.advance(bytes)
    if (bytes > 0) await save(followed.lines)
    report.progress({ documents: followed.documents, rejected: followed.rejected, bytes: followed.bytes })
  }
}
