import type { Engine, FoundDocument } from '../../engine/engine.ts'
import { identifies } from '../../explore/document.ts'
import { and, nothing, or, type Predicate } from '../../query/plan/predicate.ts'
import type { WatchedCollection } from '../watched/watched-collection.ts'

/** Several documents may share an identifier. A page has room for this many more documents than identifiers. */
const SPARE = 100

/** Returns the documents with these identifiers, by identifier. Ignores the filter of the collection. */
export async function findByIdentifier(
  engine: Pick<Engine, 'search' | 'scan'>,
  collection: WatchedCollection,
  identifiers: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, readonly FoundDocument[]>> {
  const found = new Map<string, FoundDocument[]>()
  for (const document of await readAll(engine, collection, identifiers, undefined, signal)) {
    const identifier = collection.reader.id(document)
    if (identifier === undefined) continue
    const known = found.get(identifier)
    if (known === undefined) found.set(identifier, [document])
    else known.push(document)
  }
  return found
}

/** Returns the `documentKey`s of documents with these identifiers that match a predicate in the engine. */
export async function keysOfMatching(
  engine: Pick<Engine, 'search' | 'scan'>,
  collection: WatchedCollection,
  identifiers: readonly string[],
  predicate: Predicate,
  signal?: AbortSignal,
): Promise<ReadonlySet<string>> {
  const documents = await readAll(engine, collection, identifiers, predicate, signal)
  return new Set(documents.map(documentKey))
}

/** Equal for two reads of an unchanged document. */
export const documentKey = ({ index, text, source }: FoundDocument): string =>
  `${index}\0${text ?? JSON.stringify(source)}`

async function readAll(
  engine: Pick<Engine, 'search' | 'scan'>,
  { reference, whole }: WatchedCollection,
  identifiers: readonly string[],
  also: Predicate | undefined,
  signal: AbortSignal | undefined,
): Promise<readonly FoundDocument[]> {
  const id = whole.wholeSchema.lookup(reference.params.id_path)
  const those = id === undefined ? nothing : or(identifiers.map((identifier) => identifies(id, identifier)))
  const predicate = also === undefined ? those : and([those, also])
  if (id === undefined || predicate.kind === 'nothing') return []
  const { indices } = whole.wholeSchema
  const size = identifiers.length + SPARE
  const sort = [{ kind: 'field', field: id, descending: false }] as const
  const page = await engine.search({ indices, predicate, sort, size, from: 0, wantsTotal: false }, signal)
  if (page.hits.length < size) return page.hits
  const documents: FoundDocument[] = []
  for await (const batch of engine.scan({ indices, predicate }, signal)) documents.push(...batch)
  return documents
}
