import { documentReaderOf } from '../collections/open-collection.ts'
import { hitMaker } from '../formats/hit.ts'
import type { Hits, Links } from '../model/answer/responses.ts'
import { PrintedJson } from '../model/json/printed-json.ts'
import type { Search } from '../model/search.ts'
import type { ResolvedPage } from '../query/page/page.ts'
import { mapInTurns } from '../turn.ts'
import { findDocuments } from './find-documents.ts'
import type { PageCursors } from './links.ts'
import type { Operation } from './operation.ts'
import { pageCursors } from './page-cursors.ts'
import { hitTexts } from './printed-documents.ts'

/** Builds the links to a page and the adjacent ones. */
export type MakeLinks = (page: { readonly size: number; readonly from: number }, cursors: PageCursors) => Links

interface SearchOptions {
  readonly flat: boolean
  readonly links: MakeLinks
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

/** Prints the hits that `searchHits` returns, in nested form. */
export async function printFoundHits(request: Search, operation: Operation, links: MakeLinks): Promise<PrintedJson> {
  const { collection } = operation
  const found = await findDocuments(request, operation, { wantsTotal: true })
  const { result, page } = found
  const texts = await mapInTurns(result.hits, hitTexts(collection, found))
  const count = result.hits.length
  const name = JSON.stringify(collection.reference.collection_name)
  const linked = JSON.stringify(links(page, pageCursors(page, result.hits)))
  return new PrintedJson(
    `"collection":${name},"hits":[${texts.join(',')}],"nbhits":${count},"totalnb":${result.total ?? count},"links":${linked}`,
  )
}
