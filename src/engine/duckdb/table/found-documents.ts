import type { DuckDBValue } from '@duckdb/node-api'
import type { JsonObject } from '../../../model/json/document.ts'
import { parseObject } from '../../../model/json/json-object.ts'
import { mapInTurns } from '../../../turn.ts'
import type { FoundDocument, StoredDocument } from '../../engine.ts'
import type { SourcePlace } from '../files/source-pieces.ts'
import type { IndexTable } from './index-table.ts'

/** Table and extent of a document. */
export interface DocumentPlace extends SourcePlace {
  readonly table: IndexTable
  /** Of the document, if known. */
  readonly id?: string
}

/** Identifier and extent of a document. */
export interface PlacedDocument extends SourcePlace {
  readonly id: string
}

/** From the columns `_at` and `_size` of a row. */
export function toPlace(table: IndexTable, at: DuckDBValue | undefined, size: DuckDBValue | undefined): DocumentPlace {
  return { table, at: Number(at), size: Number(size) }
}

/** A found document, parsed on access: many answers are printed from the text alone. */
class TextDocument implements FoundDocument {
  readonly index: string
  readonly text: string
  #source: JsonObject | undefined

  constructor(index: string, text: string) {
    this.index = index
    this.text = text
  }

  get source(): JsonObject {
    this.#source ??= parseObject(this.text)
    return this.#source
  }
}

class IdentifiedDocument extends TextDocument implements StoredDocument {
  readonly id: string

  constructor(index: string, text: string, id: string) {
    super(index, text)
    this.id = id
  }
}

/** Returns the documents at the given extents, in the same order. They are parsed on access. */
export async function fetchDocuments(places: readonly DocumentPlace[]): Promise<FoundDocument[]> {
  const sources = new Map<IndexTable, Iterator<Buffer>>()
  for (const [table, own] of Map.groupBy(places, (place) => place.table)) {
    sources.set(table, (await table.sources.read(own)).values())
  }
  return mapInTurns(places, ({ table, id }) => {
    const text = String(sources.get(table)?.next().value)
    return id === undefined ? new TextDocument(table.name, text) : new IdentifiedDocument(table.name, text, id)
  })
}

/** The same as plain data, for results that are kept. */
export async function fetchParsed(places: readonly DocumentPlace[]): Promise<FoundDocument[]> {
  return mapInTurns(await fetchDocuments(places), ({ index, source, text = '' }) => ({ index, source, text }))
}

/** Returns documents of one index whose ids and extents are known. They are parsed on access. */
export async function fetchPlaced(
  { name, sources }: Pick<IndexTable, 'name' | 'sources'>,
  places: readonly PlacedDocument[],
): Promise<readonly StoredDocument[]> {
  const texts = await sources.read(places)
  return mapInTurns(places, ({ id }, i) => new IdentifiedDocument(name, String(texts[i]), id))
}
