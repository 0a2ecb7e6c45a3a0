import { seesWhole } from '../access/narrowing.ts'
import type { Engine } from '../engine/engine.ts'
import { indexMatcher, indexPatternsMeet } from '../engine/index-pattern.ts'
import { problem } from '../errors.ts'
import { isIndexPattern } from '../mapping/index-name.ts'
import type { Access } from '../query/access/access.ts'
import type { ReferenceStore } from './store/reference-store.ts'

interface IndexUse {
  readonly store: Pick<ReferenceStore, 'list'>
  readonly engine: Pick<Engine, 'indices'>
  /** Names and patterns of indices that contain the server's internal records. */
  readonly ownIndices?: readonly string[]
}

/**
 * Throws FORBIDDEN if `pattern` reaches an index of a collection that is not fully visible to the caller, or an
 * internal index. A caller must see all of an index to register a collection on it. Checks the indices the pattern
 * matches now, under all their names, and those it may match later. The message names neither index nor collection.
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
  // A wildcard pattern does not match hidden indices, such as the internal ones, unless it begins with a dot.
  const meansHidden = !pattern.includes('*') || pattern.startsWith('.')
  const isClosed =
    closed.some((other) => isFound(other) || indexPatternsMeet(pattern, other)) ||
    ownIndices.some((own) => isFound(own) || (meansHidden && indexPatternsMeet(pattern, own)))
  if (isClosed)
    throw problem('FORBIDDEN', { reason: 'index_name must not match an index that the caller is not allowed to read' })
}
