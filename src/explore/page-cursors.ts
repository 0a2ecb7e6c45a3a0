import type { FoundDocument } from '../engine/engine.ts'
import type { JsonObject } from '../model/json/document.ts'
import { withExactIntegers } from '../model/json/exact-json.ts'
import { printCursor } from '../query/page/cursor.ts'
import type { ResolvedPage } from '../query/page/page.ts'
import type { PageCursors } from './links.ts'

type PageHit = Pick<FoundDocument, 'source' | 'text'>

/** Returns the cursors of the adjacent pages (spec 5.2.6). */
export function pageCursors(page: ResolvedPage, hits: readonly PageHit[]): PageCursors {
  const first = hits[0]
  const last = hits.at(-1)
  if (!page.continuable || first === undefined || last === undefined) return {}
  // A `before` cursor points to a hit after this page, so a next page exists whatever the number of hits.
  const hasNext = page.cursor?.direction === 'before' || hits.length === page.size
  return {
    ...(hasNext ? { after: printCursor(page.sort, exactSource(last)) } : {}),
    ...(page.cursor === undefined ? {} : { before: printCursor(page.sort, exactSource(first)) }),
  }
}

/** Cursors contain exact integers, even where doubles are not exact. */
export const exactSource = ({ source, text }: PageHit): JsonObject =>
  text === undefined ? source : withExactIntegers(text)
