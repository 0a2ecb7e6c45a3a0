import type { Position } from '../../model/geometry.ts'
import { orientation } from '../orientation.ts'
import { doubleArea, isFlat, type Ring } from '../ring.ts'
import type { Edge } from './edge-tree.ts'
import { ownersOfHoles } from './hole-owners.ts'

type Polygon = readonly Ring[]

/**
 * Builds polygons from the directed edges of their borders, with the inside on the left. Each point has as many
 * outgoing as incoming edges.
 */
export function assemblePolygons(edges: readonly Edge[]): readonly Polygon[] {
  const rings = traceRings(edges)
    .flatMap(splitAtRepeats)
    .map(withoutStraightVertices)
    .filter((ring) => !isFlat(ring))
  const exteriors = rings.filter((ring) => doubleArea(ring) > 0)
  const holes = rings.filter((ring) => doubleArea(ring) < 0)
  const owners = ownersOfHoles(holes, exteriors)
  const polygons = exteriors.map((exterior): Ring[] => [exterior])
  holes.forEach((hole, i) => {
    polygons[owners[i] ?? -1]?.push(hole)
  })
  return polygons
}

const keyOf = (x: number, y: number): string => `${x} ${y}`

function traceRings(edges: readonly Edge[]): readonly Ring[] {
  const leaving = new Map<string, Edge[]>()
  for (const edge of edges) {
    const key = keyOf(edge.ax, edge.ay)
    const list = leaving.get(key)
    if (list) list.push(edge)
    else leaving.set(key, [edge])
  }
  const rings: Ring[] = []
  for (const first of edges) {
    const ring: Position[] = []
    let edge: Edge | undefined = takeFrom(leaving, first)
    while (edge) {
      ring.push([edge.ax, edge.ay])
      edge = takeNext(leaving, edge)
    }
    if (ring.length > 0) rings.push([...ring, ...ring.slice(0, 1)])
  }
  return rings
}

function takeFrom(leaving: Map<string, Edge[]>, edge: Edge): Edge | undefined {
  const list = leaving.get(keyOf(edge.ax, edge.ay)) ?? []
  const at = list.indexOf(edge)
  return at < 0 ? undefined : list.splice(at, 1)[0]
}

/** The sharpest left turn stays at the same part of the inside. */
function takeNext(leaving: Map<string, Edge[]>, edge: Edge): Edge | undefined {
  const list = leaving.get(keyOf(edge.bx, edge.by)) ?? []
  let best = list[0]
  for (const other of list.slice(1)) if (best && turnsMoreLeft(edge, other, best)) best = other
  return best && takeFrom(leaving, best)
}

function turnsMoreLeft(edge: Edge, a: Edge, b: Edge): boolean {
  const sideA = orientation(edge.ax, edge.ay, edge.bx, edge.by, a.bx, a.by)
  const sideB = orientation(edge.ax, edge.ay, edge.bx, edge.by, b.bx, b.by)
  if (sideA > 0 !== sideB > 0) return sideA > 0
  // Both on the same side: a is further left if it is counter-clockwise from b.
  return orientation(edge.bx, edge.by, b.bx, b.by, a.bx, a.by) > 0
}

/** Splits a ring that visits a point twice into two rings that touch there. */
function splitAtRepeats(ring: Ring): readonly Ring[] {
  const rings: Ring[] = []
  const path: Position[] = []
  const seen = new Map<string, number>()
  for (const position of ring) {
    const key = keyOf(position[0] ?? 0, position[1] ?? 0)
    const before = seen.get(key)
    if (before !== undefined) {
      const loop = path.splice(before)
      for (const [x = 0, y = 0] of loop) seen.delete(keyOf(x, y))
      rings.push([...loop, position])
    }
    seen.set(key, path.length)
    path.push(position)
  }
  return rings
}

function withoutStraightVertices(ring: Ring): Ring {
  const kept: Position[] = []
  const isStraight = (a: Position | undefined, b: Position | undefined, c: Position | undefined): boolean =>
    a !== undefined &&
    b !== undefined &&
    c !== undefined &&
    orientation(a[0] ?? 0, a[1] ?? 0, b[0] ?? 0, b[1] ?? 0, c[0] ?? 0, c[1] ?? 0) === 0
  for (const position of ring) {
    while (kept.length > 1 && isStraight(kept.at(-2), kept.at(-1), position)) kept.pop()
    kept.push(position)
  }
  // The first vertex may be redundant too (collinear with its neighbours).
  return kept.length > 3 && isStraight(kept.at(-2), kept[0], kept[1])
    ? [...kept.slice(1, -1), ...kept.slice(1, 2)]
    : kept
}
