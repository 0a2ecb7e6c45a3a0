import type { DuckDBValue } from '@duckdb/node-api'
import { parseObject } from '../../../model/json/json-object.ts'
import { mapInTurns } from '../../../turn.ts'
import type { FoundDocument, StoredDocument } from '../../engine.ts'
import type { SourcePlace } from '../files/source-pieces.ts'
import type { IndexTable } from './index-table.ts'

/** Table and extent of a document. */
export interface DocumentPlace extends SourcePlace {
  readonly table: IndexTable
}

/** Identifier and extent of a document. */
export interface PlacedDocument extends SourcePlace {
  readonly id: string
}

/** From the columns `_at` and `_size` of a row. */
export function toPlace(table: IndexTable, at: DuckDBValue | undefined, size: DuckDBValue | undefined): DocumentPlace {
  return { table, at: Number(at), size: Number(size) }
}

/** Returns the documents at the given extents, in the same order. */
export async function fetchDocuments(places: readonly DocumentPlace[]): Promise<FoundDocument[]> {
  const sources = new Map<IndexTable, Iterator<Buffer>>()
  for (const [table, own] of Map.groupBy(places, (place) => place.table)) {
    sources.set(table, (await table.sources.read(own)).values())
  }
  return mapInTurns(places, ({ table }) => {
    const text = String(sources.get(table)?.next().value)
    return { index: table.name, source: parseObject(text), text }
  })
}

/** Returns documents of one index whose ids and extents are known. */
export async function fetchPlaced(
  { name, sources }: Pick<IndexTable, 'name' | 'sources'>,
  places: readonly PlacedDocument[],
): Promise<readonly StoredDocument[]> {
  const texts = await sources.read(places)
  return mapInTurns(places, ({ id }, i) => {
    const text = String(texts[i])
    return { index: name, source: parseObject(text), text, id }
  })
}
