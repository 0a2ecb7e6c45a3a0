import type { DocumentChange } from '../../change-feed.ts'

/** Maximum number of changes per slot. A position is the slot number times this, plus the index in the slot. */
const SLOT_CHANGES = 1_000
/** Characters. Maximum total size of the documents in a slot. */
const SLOT_CHARACTERS = 4 * 1024 * 1024

/** A change about to be made, with the information needed to check later whether it was made. */
export type IntendedChange = Pick<DocumentChange, 'kind' | 'index' | 'id' | 'before' | 'after'> & {
  readonly routing?: string
  /** Sequence number of the existing document; absent if it did not exist. */
  readonly seqNo?: number
}

/** Origin of the changes of a slot. */
export type ChangeOrigin =
  | { readonly kind: 'load' }
  | {
      readonly kind: 'tag'
      readonly collection: string
      readonly offset: number
      readonly attempt: number
      readonly chunk: number
    }

/** Numbered entry of the change feed: changes that were made, or will be made, together. */
export type ChangeSlot = {
  readonly cause: string
  readonly origin: ChangeOrigin
  /** Milliseconds. */
  readonly acceptedMs: number
  readonly mark: number
  /** True once the changes that were not made have been removed. */
  readonly settled: boolean
  readonly changes: readonly IntendedChange[]
}

/** Placeholder for a slot that will never be written. */
export const emptySlot: ChangeSlot = {
  cause: '',
  origin: { kind: 'load' },
  acceptedMs: 0,
  mark: 0,
  settled: true,
  changes: [],
}

/** Splits changes into parts that fit into a slot, in order. */
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

/** Returns the changes of a slot after a position. */
export function changesBeyond(number: number, slot: ChangeSlot, after: number): readonly DocumentChange[] {
  const { cause, acceptedMs, mark } = slot
  return slot.changes.flatMap(({ kind, index, id, before, after: text }, i) => {
    const position = number * SLOT_CHANGES + i + 1
    if (position <= after) return []
    const states = { ...(before === undefined ? {} : { before }), ...(text === undefined ? {} : { after: text }) }
    return [{ position, cause, kind, index, id, ...states, acceptedMs, mark }]
  })
}

/** Returns the slot of the change after a position. */
export const slotBehind = (position: number): number => Math.floor(position / SLOT_CHANGES)
