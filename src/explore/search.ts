import { documentReaderOf } from '../collections/open-collection.ts'
import { hitMaker } from '../formats/hit.ts'
import type { Hits, Links } from '../model/responses.ts'
import type { Search } from '../model/search.ts'
import type { ResolvedPage } from '../query/page/page.ts'
import { mapInTurns } from '../turn.ts'
import { findDocuments } from './find-documents.ts'
import type { PageCursors } from './links.ts'
import type { Operation } from './operation.ts'
import { pageCursors } from './page-cursors.ts'

interface SearchOptions {
  readonly flat: boolean
  /** Builds the links to this page and the adjacent ones. */
  readonly links: (page: { readonly size: number; readonly from: number }, cursors: PageCursors) => Links
}

interface FoundHits {
  readonly hits: Hits
  readonly page: ResolvedPage
}

/** Returns a page of the matching documents (spec 5.6). */
export async function searchHits(request: Search, operation: Operation, options: SearchOptions): Promise<FoundHits> {
  const { collection } = operation
  const { result, page, projection } = await findDocuments(request, operation, { wantsTotal: true })
  const { collection_name, params } = collection.reference
  const makeHit = hitMaker({ reader: documentReaderOf(collection), projection, flat: options.flat, paths: params })
  const hits = {
    collection: collection_name,
    hits: await mapInTurns(result.hits, makeHit),
    nbhits: result.hits.length,
    totalnb: result.total ?? result.hits.length,
    links: options.links(page, pageCursors(page, result.hits)),
  }
  return { hits, page }
}
