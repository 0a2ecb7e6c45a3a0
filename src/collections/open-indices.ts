import { seesWhole } from '../access/narrowing.ts'
import type { Engine } from '../engine/engine.ts'
import { indexMatcher } from '../engine/index-matcher.ts'
import { indexPatternsMeet } from '../engine/index-patterns-meet.ts'
import { problem } from '../errors.ts'
import { isIndexPattern } from '../mapping/index-name.ts'
import type { Access } from '../query/access/access.ts'
import type { ReferenceStore } from './reference-store.ts'

export interface IndexUse {
  readonly store: Pick<ReferenceStore, 'list'>
  readonly engine: Pick<Engine, 'indices'>
  /** Names and patterns of indices in which the server keeps records of its own. */
  readonly ownIndices?: readonly string[]
}

/**
 * Whoever registers a collection sees all of its indices: 403 for an index that a collection uses of which something is
 * hidden from the caller. What a name or pattern means now counts, by whatever name it is found, and what it may mean
 * once further indices are made. Neither index nor collection is named.
 */
export async function checkIndicesOpen(
  pattern: string,
  access: Access,
  { store, engine, ownIndices = [] }: IndexUse,
  signal?: AbortSignal,
): Promise<void> {
  if (Object.values(access).every((member) => member === undefined) || !isIndexPattern(pattern)) return
  const hidden = (await store.list()).filter((reference) => !seesWhole(access, reference))
  const closed = [...new Set(hidden.map(({ params }) => params.index_name))].filter(isIndexPattern)
  if (closed.length + ownIndices.length === 0) return
  const names = (await engine.indices(pattern, signal)).flatMap(({ name, alsoNamed = [] }) => [name, ...alsoNamed])
  const isFound = (other: string): boolean => names.some(indexMatcher(other))
  // A pattern leaves out hidden indices, as those of the server are, unless it begins as their names do.
  const meansHidden = !pattern.includes('*') || pattern.startsWith('.')
  const isClosed =
    closed.some((other) => isFound(other) || indexPatternsMeet(pattern, other)) ||
    ownIndices.some((own) => isFound(own) || (meansHidden && indexPatternsMeet(pattern, own)))
  if (isClosed)
    throw problem('FORBIDDEN', { reason: 'index_name must not reach an index that is closed to the caller' })
}
