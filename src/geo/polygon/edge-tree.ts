import type { Box } from '../area.ts'
import { orientation } from '../orientation.ts'

/**
 * The edges of a border in cells that are halved where they are asked about, until few edges are left in each. Unlike
 * rows or a grid of equal cells it does well with any border: combs, stars, or all vertices in one corner.
 */
export interface EdgeTree {
  readonly root: Cell
  /** Edges that cells may still get together; a border that halving does not take apart must not fill the memory. */
  places: number
}

/** A closed box and the edges that may meet it. */
interface Cell extends Box {
  readonly edges: readonly Edge[]
  /** Whether the south-western corner, moved a little as `sideOf` says, is inside. */
  readonly inside: boolean
  visits: number
  /** West and east halves, or south and north ones. */
  halves?: { readonly byX: boolean; readonly at: number; readonly low: Cell; readonly high: Cell }
}

/** So few edges are as well looked at one by one. */
const FEW_EDGES = 12
/** A cell that is asked about once is not worth halving. */
const VISITS = 2
/** Beyond all edges, so that the corner of the root is outside. */
const MARGIN = 1
const PLACES_PER_EDGE = 128
/** Cells looked at for one box. */
const MOST_CELLS = 256

export function edgeTree(edges: readonly Edge[], { west, south, east, north }: Box): EdgeTree {
  const root = { west: west - MARGIN, south: south - MARGIN, east: east + MARGIN, north: north + MARGIN }
  return { root: { ...root, edges, inside: false, visits: 0 }, places: PLACES_PER_EDGE * edges.length }
}

/** 1 strictly inside what the edges enclose (even-odd), 0 on an edge, -1 outside. */
export function locateInTree(tree: EdgeTree, x: number, y: number): 1 | 0 | -1 {
  const { root } = tree
  if (!(x >= root.west && x <= root.east && y >= root.south && y <= root.north)) return -1
  let cell = root
  for (let halves = halvesOf(tree, cell); halves; halves = halvesOf(tree, cell)) {
    cell = (halves.byX ? x : y) < halves.at ? halves.low : halves.high
  }
  return locateInCell(cell, x, y)
}

/** 1 when the whole box is inside, -1 when nothing of it is, 0 when an edge is near or it takes too many cells to tell. */
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

/** Whether one of the edges whose own box meets the given one passes the test; every edge is tried at most once. */
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

/** Whether one of the undivided cells that meet the box passes the test. */
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
 * Walks from the corner of the cell up its western side and then east to the point, and counts the edges in the way.
 * The way is moved by an infinitely small step east, and a much smaller one north, so that it meets no vertex.
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

/** Whether the way up from (x, from) to (x, to) crosses the edge. */
function crossesUp(edge: Edge, x: number, from: number, to: number): boolean {
  if (edge.ax > x === edge.bx > x) return false
  if (edge.ay < from && edge.by < from) return false
  if (edge.ay > to && edge.by > to) return false
  return sideOf(edge, x, from) !== sideOf(edge, x, to)
}

/** Whether the way east from (from, y) to (to, y) crosses the edge. */
function crossesEast(edge: Edge, y: number, from: number, to: number): boolean {
  if (edge.ay > y === edge.by > y) return false
  if (edge.ax < from && edge.bx < from) return false
  if (edge.ax > to && edge.bx > to) return false
  return sideOf(edge, from, y) !== sideOf(edge, to, y)
}

/** Whether a point is left of an edge when it is moved by a tiny step east and a much smaller one north. */
function sideOf({ ax, ay, bx, by }: Edge, x: number, y: number): boolean {
  const side = orientation(ax, ay, bx, by, x, y)
  if (side !== 0) return side > 0
  return ay === by ? bx > ax : ay > by
}

/** The halves of a cell that has some, or now gets them. */
function halvesOf(tree: EdgeTree, cell: Cell): Cell['halves'] {
  if (cell.halves || cell.edges.length <= FEW_EDGES) return cell.halves
  if (++cell.visits < VISITS || tree.places < 0) return undefined
  const { west, south, east, north, edges, inside } = cell
  const byX = dividesByX(cell)
  const at = byX ? (west + east) / 2 : (south + north) / 2
  // The cell is as small as cells can be.
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

/** Edges are cut by fewer lines across the direction in which they are short. */
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

/** Whether the edge shares a point with the closed box: its line does not pass all corners on one side. */
function meetsBox(edge: Edge, box: Box): boolean {
  if (!boxMeets(edge, box)) return false
  const { ax, ay, bx, by } = edge
  const { west, south, east, north } = box
  // Only the two corners that are farthest apart across the edge can be on different sides.
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
