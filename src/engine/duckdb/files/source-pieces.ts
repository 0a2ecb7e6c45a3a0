/** Extent of the JSON text of a document in the source file of its index. */
export interface SourcePlace {
  readonly at: number
  readonly size: number
}

/** Bytes read at once, and the indices of the extents inside them. */
export interface SourcePiece {
  readonly at: number
  readonly size: number
  readonly places: readonly number[]
}

/** Bytes. Reading a gap of this size takes half as long as another read, and it limits the waste. */
const WIDEST_GAP = 2 * 1024

/** Bytes. Documents are read together up to this size. A longer document is a piece on its own. */
const LARGEST_PIECE = 1024 * 1024

/** Returns the pieces of a file that contain the given extents, in file order. */
export function gatherPieces(places: readonly SourcePlace[]): readonly SourcePiece[] {
  const order = Array.from(places.keys()).sort((a, b) => (places[a]?.at ?? 0) - (places[b]?.at ?? 0))
  const pieces: SourcePiece[] = []
  let members: number[] = []
  let first = 0
  let end = 0
  const finish = (): void => {
    if (members.length > 0) pieces.push({ at: first, size: end - first, places: members })
  }
  for (const number of order) {
    const { at, size } = places[number] ?? { at: 0, size: 0 }
    if (members.length === 0 || at > end + WIDEST_GAP || at + size > first + LARGEST_PIECE) {
      finish()
      members = []
      first = at
      end = at
    }
    members.push(number)
    end = Math.max(end, at + size)
  }
  finish()
  return pieces
}
