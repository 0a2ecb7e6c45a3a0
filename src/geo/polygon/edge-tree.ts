import type { Box } from '../area.ts'
import { orientation } from '../orientation.ts'

/**
 * The edges of a border in cells, which are halved on queries until each has few edges. Unlike rows or a uniform grid
 * it works well with any border: combs, stars, or all vertices in one corner.
 */
export interface EdgeTree {
  readonly root: Cell
  /** Remaining number of edge references in all cells; bounds the memory for borders that halving does not separate. */
  places: number
}

/** A closed box and the edges that may meet it. */
interface Cell extends Box {
  readonly edges: readonly Edge[]
  /** True if the south-western corner, moved by a tiny step as in `sideOf`, is inside. */
  readonly inside: boolean
  visits: number
  /** West and east halves, or south and north ones. */
  halves?: { readonly byX: boolean; readonly at: number; readonly low: Cell; readonly high: Cell }
}

/** A cell with at most this many edges is scanned, not halved. */
const FEW_EDGES = 12
/** Visits before a cell is halved; a single visit is not worth it. */
const VISITS = 2
/** Degrees around all edges, so that the corner of the root is outside. */
const MARGIN = 1
const PLACES_PER_EDGE = 128
/** Maximum cells visited for one box. */
const MOST_CELLS = 256

export function edgeTree(edges: readonly Edge[], { west, south, east, north }: Box): EdgeTree {
  const root = { west: west - MARGIN, south: south - MARGIN, east: east + MARGIN, north: north + MARGIN }
  return { root: { ...root, edges, inside: false, visits: 0 }, places: PLACES_PER_EDGE * edges.length }
}

/** 1 strictly inside the edges (even-odd), 0 on an edge, -1 outside. */
export function locateInTree(tree: EdgeTree, x: number, y: number): 1 | 0 | -1 {
  const { root } = tree
  if (!(x >= root.west && x <= root.east && y >= root.south && y <= root.north)) return -1
  let cell = root
  for (let halves = halvesOf(tree, cell); halves; halves = halvesOf(tree, cell)) {
    cell = (halves.byX ? x : y) < halves.at ? halves.low : halves.high
  }
  return locateInCell(cell, x, y)
}

/** 1 if the whole box is inside, -1 if it is outside, 0 if an edge is near or too many cells would be visited. */
export function locateBoxInTree(tree: EdgeTree, box: Box): 1 | 0 | -1 {
  let location = 0
  let visited = 0
  const isMixed = someCell(tree, box, (cell) => {
    if (++visited > MOST_CELLS || cell.edges.some((edge) => meetsBox(edge, box))) return true
    const x = Math.min(Math.max(box.west, cell.west), cell.east)
    const y = Math.min(Math.max(box.south, cell.south), cell.north)
    const own = locateInCell(cell, x, y)
    if (own === 0 || (location !== 0 && own !== location)) return true
    location = own
    return false
  })
  if (isMixed) return 0
  return location > 0 && isWithin(box, tree.root) ? 1 : location > 0 ? 0 : -1
}

/** True if an edge whose box meets the given one passes the test; every edge is tested at most once. */
export function someEdgeInTree(tree: EdgeTree, box: Box, test: (edge: Edge) => boolean): boolean {
  let tried: Set<Edge> | undefined
  let first: readonly Edge[] | undefined
  return someCell(tree, box, ({ edges }) => {
    if (first !== undefined) tried ??= new Set(first)
    first ??= edges
    for (const edge of edges) {
      if (tried?.has(edge) === true || !boxMeets(edge, box)) continue
      tried?.add(edge)
      if (test(edge)) return true
    }
    return false
  })
}

/** True if a leaf cell that meets the box passes the test. */
function someCell(tree: EdgeTree, box: Box, test: (cell: Cell) => boolean): boolean {
  const waiting = [tree.root]
  for (let cell = waiting.pop(); cell; cell = waiting.pop()) {
    if (cell.west > box.east || cell.east < box.west || cell.south > box.north || cell.north < box.south) continue
    const halves = halvesOf(tree, cell)
    if (halves) waiting.push(halves.high, halves.low)
    else if (test(cell)) return true
  }
  return false
}

const isWithin = (inner: Box, outer: Box): boolean =>
  inner.west >= outer.west && inner.east <= outer.east && inner.south >= outer.south && inner.north <= outer.north

/**
 * Follows a path from the corner of the cell up its western side, then east to the point, and counts the edges crossed.
 * The path is moved by an infinitesimal step east, and a much smaller one north, so that it meets no vertex.
 */
function locateInCell({ west, south, edges, inside }: Cell, x: number, y: number): 1 | 0 | -1 {
  let isInside = inside
  for (const edge of edges) {
    const { ax, ay, bx, by } = edge
    if (
      (ax < bx ? x >= ax && x <= bx : x >= bx && x <= ax) &&
      (ay < by ? y >= ay && y <= by : y >= by && y <= ay) &&
      orientation(ax, ay, bx, by, x, y) === 0
    ) {
      return 0
    }
    if (crossesUp(edge, west, south, y)) isInside = !isInside
    if (crossesEast(edge, y, west, x)) isInside = !isInside
  }
  return isInside ? 1 : -1
}

/** True if the path up from (x, from) to (x, to) crosses the edge. */
function crossesUp(edge: Edge, x: number, from: number, to: number): boolean {
  if (edge.ax > x === edge.bx > x) return false
  if (edge.ay < from && edge.by < from) return false
  if (edge.ay > to && edge.by > to) return false
  return sideOf(edge, x, from) !== sideOf(edge, x, to)
}

/** True if the path east from (from, y) to (to, y) crosses the edge. */
function crossesEast(edge: Edge, y: number, from: number, to: number): boolean {
  if (edge.ay > y === edge.by > y) return false
  if (edge.ax < from && edge.bx < from) return false
  if (edge.ax > to && edge.bx > to) return false
  return sideOf(edge, from, y) !== sideOf(edge, to, y)
}

/** True if a point is left of an edge when moved by a tiny step east and a much smaller one north. */
function sideOf({ ax, ay, bx, by }: Edge, x: number, y: number): boolean {
  const side = orientation(ax, ay, bx, by, x, y)
  if (side !== 0) return side > 0
  return ay === by ? bx > ax : ay > by
}

/** Returns the halves of a cell, creating them if needed. */
function halvesOf(tree: EdgeTree, cell: Cell): Cell['halves'] {
  if (cell.halves || cell.edges.length <= FEW_EDGES) return cell.halves
  if (++cell.visits < VISITS || tree.places < 0) return undefined
  const { west, south, east, north, edges, inside } = cell
  const byX = dividesByX(cell)
  const at = byX ? (west + east) / 2 : (south + north) / 2
  // The cell cannot be divided further.
  if (byX ? at <= west || at >= east : at <= south || at >= north) return undefined
  const lowBox = byX ? { west, south, east: at, north } : { west, south, east, north: at }
  const highBox = byX ? { west: at, south, east, north } : { west, south: at, east, north }
  const low = edges.filter((edge) => meetsBox(edge, lowBox))
  const high = edges.filter((edge) => meetsBox(edge, highBox))
  tree.places -= low.length + high.length
  const crossed = edges.filter((edge) =>
    byX ? crossesEast(edge, south, west, at) : crossesUp(edge, west, south, at),
  ).length
  cell.halves = {
    byX,
    at,
    low: { ...lowBox, edges: low, inside, visits: 0 },
    high: { ...highBox, edges: high, inside: inside !== (crossed % 2 === 1), visits: 0 },
  }
  return cell.halves
}

/** Chooses the direction in which the edges are shorter, so that fewer of them are cut. */
function dividesByX({ west, south, east, north, edges }: Cell): boolean {
  let acrossX = 0
  let acrossY = 0
  for (const { ax, ay, bx, by } of edges) {
    acrossX += Math.min(1, Math.abs(bx - ax) / (east - west))
    acrossY += Math.min(1, Math.abs(by - ay) / (north - south))
  }
  if (Math.abs(acrossX - acrossY) < 0.1 * edges.length) return east - west > north - south
  return acrossX < acrossY
}

function boxMeets({ ax, ay, bx, by }: Edge, { west, south, east, north }: Box): boolean {
  if ((ax > east && bx > east) || (ax < west && bx < west)) return false
  return !((ay > north && by > north) || (ay < south && by < south))
}

/** True if the edge shares a point with the closed box: not all corners are on the same side of its line. */
function meetsBox(edge: Edge, box: Box): boolean {
  if (!boxMeets(edge, box)) return false
  const { ax, ay, bx, by } = edge
  const { west, south, east, north } = box
  // Only the two corners farthest apart across the edge can be on different sides.
  const rises = bx > ax === by > ay
  const first = orientation(ax, ay, bx, by, rises ? west : east, north)
  const second = orientation(ax, ay, bx, by, rises ? east : west, south)
  return !((first > 0 && second > 0) || (first < 0 && second < 0))
}

/** A directed straight segment from a to b. */
export interface Edge {
  readonly ax: number
  readonly ay: number
  readonly bx: number
  readonly by: number
}
