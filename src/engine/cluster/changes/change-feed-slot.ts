import type { WireObject } from '../../../cluster-client/cluster-client.ts'
import type { DocumentChange } from '../../change-feed.ts'

/** Changes of one slot at most; a position is the number of the slot times this, plus the place in it. */
export const SLOT_CHANGES = 1_000
/** Characters of the documents of a slot, after which the next one is begun. */
const SLOT_CHARACTERS = 4 * 1024 * 1024

/** A change that is about to be made, with what tells later whether it was. */
export interface IntendedChange extends Pick<DocumentChange, 'kind' | 'index' | 'id' | 'before' | 'after'> {
  readonly routing?: string
  /** Of the write the document came from; absent when there was none. */
  readonly seqNo?: number
}

/** What makes the changes of a slot. */
export type ChangeOrigin =
  | { readonly kind: 'load' }
  | {
      readonly kind: 'tag'
      readonly collection: string
      readonly offset: number
      readonly attempt: number
      readonly chunk: number
    }

/** Changes that were, or will be, made together. */
export interface ChangeSlot {
  readonly cause: string
  readonly origin: ChangeOrigin
  /** ms */
  readonly acceptedMs: number
  readonly mark: number
  /** It is certain which of them were made: those that are left. */
  readonly settled: boolean
  readonly changes: readonly IntendedChange[]
}

export const toSource = (slot: ChangeSlot): WireObject => slot as unknown as WireObject

/** A slot for which nobody will come. */
export const emptySlot: ChangeSlot = {
  cause: '',
  origin: { kind: 'load' },
  acceptedMs: 0,
  mark: 0,
  settled: true,
  changes: [],
}

/** Changes in parts that fit into a slot, in order. */
export function splitIntoSlots(changes: readonly IntendedChange[]): readonly (readonly IntendedChange[])[] {
  const parts: IntendedChange[][] = []
  let characters = 0
  for (const change of changes) {
    const size = (change.before?.length ?? 0) + (change.after?.length ?? 0)
    const part = parts.at(-1)
    if (part !== undefined && part.length < SLOT_CHANGES && characters + size <= SLOT_CHARACTERS) part.push(change)
    else {
      parts.push([change])
      characters = 0
    }
    characters += size
  }
  return parts
}

/** The changes of a slot as readers see them, those up to a position left out. */
export function changesBeyond(number: number, slot: ChangeSlot, after: number): readonly DocumentChange[] {
  const { cause, acceptedMs, mark } = slot
  return slot.changes.flatMap(({ kind, index, id, before, after: text }, i) => {
    const position = number * SLOT_CHANGES + i + 1
    if (position <= after) return []
    const states = { ...(before === undefined ? {} : { before }), ...(text === undefined ? {} : { after: text }) }
    return [{ position, cause, kind, index, id, ...states, acceptedMs, mark }]
  })
}

/** The slot in which the change behind a position is. */
export const slotBehind = (position: number): number => Math.floor(position / SLOT_CHANGES)
