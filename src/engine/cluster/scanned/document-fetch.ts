import type { FoundDocument } from '../../engine.ts'
import type { ClusterContext } from '../request/cluster-context.ts'
import { toFound } from '../request/search-answer.ts'
import { sendSearch } from '../request/search-call.ts'
import type { DocumentName } from './scanned-document.ts'

/** Documents per search; the default result window of indices is 10,000. */
const MOST_AT_ONCE = 1000

/** Returns the documents with these names, in the same order; undefined for deleted ones. */
export async function fetchDocuments(
  context: ClusterContext,
  names: readonly DocumentName[],
  signal?: AbortSignal,
): Promise<readonly (FoundDocument | undefined)[]> {
  const found = new Map<string, FoundDocument>()
  for (const [index, ids] of idsByIndex(names)) {
    for (let at = 0; at < ids.length; at += MOST_AT_ONCE) {
      const values = ids.slice(at, at + MOST_AT_ONCE)
      const query = { bool: { filter: [{ ids: { values } }] } }
      const body = { size: values.length, track_total_hits: false, query }
      const answer = await sendSearch(context, [index], body, signal)
      for (const hit of answer.hits.hits) found.set(keyOf({ index: hit._index, id: hit._id }), toFound(hit))
    }
  }
  return names.map((name) => found.get(keyOf(name)))
}

function idsByIndex(names: readonly DocumentName[]): ReadonlyMap<string, readonly string[]> {
  const byIndex = new Map<string, Set<string>>()
  for (const { index, id } of names) {
    const ids = byIndex.get(index) ?? new Set()
    byIndex.set(index, ids.add(id))
  }
  return new Map([...byIndex].map(([index, ids]) => [index, [...ids]]))
}

/** Index names never contain a slash. */
const keyOf = ({ index, id }: DocumentName): string => `${index}/${id}`
