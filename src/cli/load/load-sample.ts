import { isBroken, type Row } from '../../ingest/row.ts'
import type { JsonObject } from '../../model/json/document.ts'

/** First documents of an input, and all its rows from the beginning. */
export interface Sample {
  readonly documents: readonly JsonObject[]
  readonly rows: AsyncIterable<readonly Row[]>
}

const DOCUMENTS = 2_000
const ROWS = 20_000

/** Reads enough rows to infer a mapping. Invalid rows count too, so that a wrong format ends early. */
export async function takeSample(rows: AsyncIterable<readonly Row[]>): Promise<Sample> {
  const iterator = rows[Symbol.asyncIterator]()
  const taken: (readonly Row[])[] = []
  const documents: JsonObject[] = []
  let seen = 0
  while (documents.length < DOCUMENTS && seen < ROWS) {
    const next = await iterator.next()
    if (next.done === true) break
    taken.push(next.value)
    seen += next.value.length
    for (const row of next.value) if (!isBroken(row) && documents.length < DOCUMENTS) documents.push(row.document)
  }
  return { documents, rows: resume(taken, iterator) }
}

async function* resume(
  taken: (readonly Row[])[],
  rest: AsyncIterator<readonly Row[]>,
): AsyncGenerator<readonly Row[], void, undefined> {
  for (let batch = taken.shift(); batch !== undefined; batch = taken.shift()) yield batch
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
}
