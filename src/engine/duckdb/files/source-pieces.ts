/** Where the JSON text of a document lies in the source file of its index. */
export interface SourcePlace {
  readonly at: number
  readonly size: number
}

/** Bytes that are read at once, and the numbers of the places that lie in them. */
export interface SourcePiece {
  readonly at: number
  readonly size: number
  readonly places: readonly number[]
}

/** Reading this many bytes nobody asked for takes half as long as reading once more, and bounds what is wasted. */
const WIDEST_GAP = 2 * 1024

/** Several documents are read at once up to this many bytes; a longer document is a piece by itself. */
const LARGEST_PIECE = 1024 * 1024

/** The pieces of a file that hold the given places, in the order of the file. */
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
