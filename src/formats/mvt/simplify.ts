import type { Position } from '../../model/geometry.ts'

/** Removes the positions within `tolerance` of the simplified path (Douglas-Peucker); keeps both ends. */
export function simplifyPath(path: readonly Position[], tolerance: number): readonly Position[] {
  if (path.length < 3) return path
  const kept = new Uint8Array(path.length)
  markPieces(path, 0, path.length - 1, tolerance, kept)
  return path.filter((_, i) => kept[i] === 1)
}

/** Same for a closed ring. Keeps its first position and the one farthest from it. */
export function simplifyRing(ring: readonly Position[], tolerance: number): readonly Position[] {
  if (ring.length < 5) return ring
  const kept = new Uint8Array(ring.length)
  const far = farthest(ring)
  markPieces(ring, 0, far, tolerance, kept)
  markPieces(ring, far, ring.length - 1, tolerance, kept)
  return ring.filter((_, i) => kept[i] === 1)
}

function farthest(ring: readonly Position[]): number {
  const [x0 = 0, y0 = 0] = ring[0] ?? []
  let [found, most] = [0, -1]
  for (let i = 0; i < ring.length; i++) {
    const [x = 0, y = 0] = ring[i] ?? []
    const distance = (x - x0) ** 2 + (y - y0) ** 2
    if (distance > most) [found, most] = [i, distance]
  }
  return found
}

/** Positions per piece. The worst case is quadratic, so long paths are simplified in pieces. */
const PIECE = 256

function markPieces(path: readonly Position[], start: number, end: number, tolerance: number, kept: Uint8Array): void {
  kept[start] = 1
  for (let from = start; from < end; from += PIECE) markKept(path, from, Math.min(from + PIECE, end), tolerance, kept)
}

/** Marks the positions to keep in a piece, whose two ends are already marked. */
function markKept(path: readonly Position[], start: number, end: number, tolerance: number, kept: Uint8Array): void {
  const most = tolerance ** 2
  const waiting = [start, end]
  kept[start] = 1
  kept[end] = 1
  while (waiting.length > 0) {
    const last = waiting.pop() ?? 0
    const first = waiting.pop() ?? 0
    const [a, b] = [path[first] ?? [], path[last] ?? []]
    let [worst, distance] = [-1, most]
    for (let i = first + 1; i < last; i++) {
      const d = squaredDistance(path[i] ?? [], a, b)
      if (d > distance) [worst, distance] = [i, d]
    }
    if (worst < 0) continue
    kept[worst] = 1
    waiting.push(first, worst, worst, last)
  }
}

/** Squared distance from a position to the segment from a to b. */
export function squaredDistance(
  [x = 0, y = 0]: Position,
  [ax = 0, ay = 0]: Position,
  [bx = 0, by = 0]: Position,
): number {
  const [dx, dy] = [bx - ax, by - ay]
  const length = dx * dx + dy * dy
  const t = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length))
  return (x - ax - t * dx) ** 2 + (y - ay - t * dy) ** 2
}
