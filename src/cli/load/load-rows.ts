import { addCentroid, type Coordinates } from '../../ingest/coordinates.ts'
import { type DocumentRow, isBroken, type Row } from '../../ingest/row.ts'
import { valueAt } from '../../model/json/json-object.ts'
import type { Connection, OutgoingDocument } from '../client/connection.ts'
import type { Advance } from '../terminal/progress.ts'
import type { RejectFile } from './reject-file.ts'

/** Maximum documents and characters of a batch. */
const BATCH_DOCUMENTS = 5_000
const BATCH_CHARACTERS = 4_000_000

export interface LoadPlan {
  readonly index: string
  /** Field used as document id in the index, so that loading again replaces the document. */
  readonly idPath?: string
  /** Field that receives the line number. */
  readonly rowId?: string
  readonly coordinates?: Coordinates
}

interface LoadResult {
  readonly created: number
  readonly replaced: number
}

interface Batch {
  readonly lines: number[]
  readonly documents: OutgoingDocument[]
  characters: number
}

/** Writes rows into an index in batches; memory use does not depend on their number. */
export async function loadRows(
  connection: Connection,
  rows: AsyncIterable<readonly Row[]>,
  plan: LoadPlan,
  rejects: RejectFile,
  onAdvance: (documents: Pick<Advance, 'documents' | 'rejected'>) => void,
): Promise<LoadResult> {
  let created = 0
  let replaced = 0
  const advance = () => onAdvance({ documents: created + replaced, rejected: rejects.count })
  const write = async ({ lines, documents }: Batch): Promise<void> => {
    const results = await connection.write(plan.index, documents)
    for (const [i, result] of results.entries()) {
      if (!result.ok) rejects.add([{ line: lines[i] ?? 0, reason: result.reason, text: documents[i]?.text ?? '' }])
      else if (result.result === 'updated') replaced += 1
      else created += 1
    }
    advance()
  }
  // Reads the next batch while one is written. Never writes two at once: for two documents with one id the later must
  // win.
  let writing: Promise<void> = Promise.resolve()
  const start = async (batch: Batch): Promise<void> => {
    await writing
    writing = write(batch)
    // a failure is thrown at the next await
    writing.catch(() => undefined)
  }
  try {
    let batch = emptyBatch()
    for await (const some of rows) {
      for (const row of some) {
        const prepared = isBroken(row) ? row : prepare(row, plan)
        if ('reason' in prepared) {
          rejects.add([{ line: prepared.line, reason: prepared.reason, text: prepared.text }])
          continue
        }
        batch.lines.push(row.line)
        batch.documents.push(prepared)
        batch.characters += prepared.text.length
        if (batch.documents.length < BATCH_DOCUMENTS && batch.characters < BATCH_CHARACTERS) continue
        await start(batch)
        batch = emptyBatch()
      }
      advance()
    }
    if (batch.documents.length > 0) await start(batch)
  } finally {
    // count the batch in progress too if reading fails
    await writing
  }
  return { created, replaced }
}

const emptyBatch = (): Batch => ({ lines: [], documents: [], characters: 0 })

/** Returns the document to send, with its centroid, line number and id if requested. */
function prepare(row: DocumentRow, plan: LoadPlan): OutgoingDocument | { line: number; reason: string; text: string } {
  const shaped = shapeDocument(row, plan)
  if (typeof shaped === 'string') return { line: row.line, reason: shaped, text: JSON.stringify(row.document) }
  const text = shaped === row.document && row.text !== undefined ? row.text : JSON.stringify(shaped)
  const id = plan.idPath === undefined ? undefined : valueAt(shaped, plan.idPath)
  const named = typeof id === 'string' || typeof id === 'number' ? { id: String(id) } : {}
  if (named.id === '') return { line: row.line, reason: `has an empty ${plan.idPath}`, text }
  return { ...named, source: shaped, text }
}

/** Adds the line number and the centroid of the plan; returns the reason as text if that is not possible. */
export function shapeDocument(row: DocumentRow, { rowId, coordinates }: Pick<LoadPlan, 'rowId' | 'coordinates'>) {
  const numbered = rowId === undefined ? row.document : { [rowId]: row.line, ...row.document }
  return coordinates === undefined ? numbered : addCentroid(numbered, coordinates)
}
