import type { TagStore } from '../engine/tag-store.ts'
import type { Positions } from './tag-log.ts'

/** The lowest offset of each collection that is not executed. */
export async function readPositions(store: TagStore): Promise<Positions> {
  return new Map((await store.positions()).map(({ collection, nextOffset }) => [collection, nextOffset]))
}
