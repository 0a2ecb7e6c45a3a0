import type { TagPosition, TagStore } from '../engine/tag-store.ts'
import type { Positions } from './log/tag-log.ts'

/** Returns the lowest offset not yet executed, by collection. */
export async function readPositions(store: TagStore): Promise<Positions> {
  return offsetsOf(await store.positions())
}

export function offsetsOf(positions: readonly TagPosition[]): Positions {
  return new Map(positions.map(({ collection, nextOffset }) => [collection, nextOffset]))
}
