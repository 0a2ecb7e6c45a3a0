import { type CollectionSources, openReference } from '../collections/open-collection.ts'
import type { CollectionReferenceDescription } from '../model/description.ts'
import type { Access } from '../query/access/access.ts'
import { describeCollection } from './describe.ts'

/** Returns the descriptions of all collections in creation order, without those whose index is missing (spec 5.12). */
export async function listCollections(
  sources: CollectionSources,
  access: Access,
  signal?: AbortSignal,
): Promise<readonly CollectionReferenceDescription[]> {
  const references = await sources.collections.list(access)
  const opened = await Promise.all(
    references.map((reference) => openReference(sources.engine, reference, access, signal)),
  )
  return opened.flatMap((collection) => (collection === undefined ? [] : [describeCollection(collection)]))
}
