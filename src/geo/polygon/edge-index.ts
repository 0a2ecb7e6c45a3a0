import type { Position } from '../../model/geometry.ts'
import type { Box } from '../area.ts'
import { orientation } from '../orientation.ts'
import { type Edge, type EdgeTree, edgeTree, someEdgeInTree } from './edge-tree.ts'

/** Edges grouped in horizontal rows of equal height, to find those near a latitude. */
export interface EdgeIndex {
  readonly edges: readonly Edge[]
  readonly bounds: Box
  readonly rows: readonly (readonly Edge[])[]
  readonly rowsPerDegree: number
  /** Used instead of rows for many edges and many queries. */
  readonly tree?: EdgeTree
}

/** Up to this many edges, a linear scan is as fast as any index. */
const SMALL = 32
const MOST_ROWS = 512
/** From this many edges on a tree is faster to build than rows, and has no slow worst case. */
const LARGE = 256

/**
 * Indexes the edges between consecutive positions of the paths (lines, or closed rings), in at least `fewest` rows.
 * `many`: there will be many queries.
 */
export function indexEdges(paths: readonly (readonly Position[])[], fewest = 1, many = false): EdgeIndex {
  const edges: Edge[] = []
  let west = Infinity
  let south = Infinity
  let east = -Infinity
  let north = -Infinity
  for (const path of paths) {
    let ax = Number.NaN
    let ay = Number.NaN
    for (const position of path) {
      const x = position[0] ?? 0
      const y = position[1] ?? 0
      if (x < west) west = x
      if (x > east) east = x
      if (y < south) south = y
      if (y > north) north = y
      // Equal positions make no edge. Neither does the NaN before the first position: all four comparisons are false.
      if (ax < x || ax > x || ay < y || ay > y) edges.push({ ax, ay, bx: x, by: y })
      ax = x
      ay = y
    }
  }
  const bounds = { west, south, east, north }
  if (many && edges.length > LARGE) {
    return { edges, bounds, rows: [edges], rowsPerDegree: 0, tree: edgeTree(edges, bounds) }
  }
  const useful = edges.length <= SMALL ? 1 : Math.min(MOST_ROWS, Math.ceil(4 * Math.sqrt(edges.length)))
  const count = north > south ? Math.max(fewest, useful) : 1
  if (count === 1) return { edges, bounds, rows: [edges], rowsPerDegree: 0 }
  const rows = Array.from({ length: count }, (): Edge[] => [])
  const index = { edges, bounds, rows, rowsPerDegree: count / (north - south) }
  for (const edge of edges) {
    const last = rowOf(index, Math.max(edge.ay, edge.by))
    for (let row = rowOf(index, Math.min(edge.ay, edge.by)); row <= last; row++) rows[row]?.push(edge)
  }
  return index
}

/** Returns the row of a latitude. Monotonic, so an edge that contains the latitude is always in that row. */
export function rowOf(index: EdgeIndex, y: number): number {
  const row = Math.floor((y - index.bounds.south) * index.rowsPerDegree)
  return row < 0 ? 0 : row >= index.rows.length ? index.rows.length - 1 : row
}

/** True if an edge whose box meets the given one passes the test; every edge is tested at most once. */
export function someEdgeNear(index: EdgeIndex, box: Box, test: (edge: Edge) => boolean): boolean {
  const { west, south, east, north } = box
  const { bounds } = index
  if (west > bounds.east || east < bounds.west || south > bounds.north || north < bounds.south) return false
  if (index.tree) return someEdgeInTree(index.tree, box, test)
  const first = rowOf(index, south)
  const last = rowOf(index, north)
  for (let row = first; row <= last; row++) {
    for (const edge of index.rows[row] ?? []) {
      if (edge.ay > north && edge.by > north) continue
      if (edge.ay < south && edge.by < south) continue
      if (edge.ax > east && edge.bx > east) continue
      if (edge.ax < west && edge.bx < west) continue
      if (row > first && rowOf(index, Math.min(edge.ay, edge.by)) < row) continue
      if (test(edge)) return true
    }
  }
  return false
}

export function edgeBox({ ax, ay, bx, by }: Edge): Box {
  return { west: Math.min(ax, bx), south: Math.min(ay, by), east: Math.max(ax, bx), north: Math.max(ay, by) }
}

/** True if the closed segments share a point. Works without a previous comparison of their boxes. */
export function edgesMeet(e: Edge, f: Edge): boolean {
  const c = orientation(e.ax, e.ay, e.bx, e.by, f.ax, f.ay)
  const d = orientation(e.ax, e.ay, e.bx, e.by, f.bx, f.by)
  if ((c > 0 && d > 0) || (c < 0 && d < 0)) return false
  if (c === 0 && inEdgeBox(e, f.ax, f.ay)) return true
  if (d === 0 && inEdgeBox(e, f.bx, f.by)) return true
  const a = orientation(f.ax, f.ay, f.bx, f.by, e.ax, e.ay)
  const b = orientation(f.ax, f.ay, f.bx, f.by, e.bx, e.by)
  if ((a > 0 && b < 0) || (a < 0 && b > 0)) return c !== 0 && d !== 0
  return (a === 0 && inEdgeBox(f, e.ax, e.ay)) || (b === 0 && inEdgeBox(f, e.bx, e.by))
}

/** True if the point lies exactly on the closed segment. */
export function onEdge(edge: Edge, x: number, y: number): boolean {
  return inEdgeBox(edge, x, y) && orientation(edge.ax, edge.ay, edge.bx, edge.by, x, y) === 0
}

function inEdgeBox({ ax, ay, bx, by }: Edge, x: number, y: number): boolean {
  return (ax < bx ? x >= ax && x <= bx : x >= bx && x <= ax) && (ay < by ? y >= ay && y <= by : y >= by && y <= ay)
}
