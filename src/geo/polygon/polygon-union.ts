import RBush, { type BBox } from 'rbush'
import { GeometryFault } from '../geometry-fault.ts'
import { orientation } from '../orientation.ts'
import { pathBounds, type Ring, windPolygon } from '../ring.ts'
import { edgeBox } from './edge-index.ts'
import { type Edge, edgeTree, someEdgeInTree } from './edge-tree.ts'
import { polygonFault } from './polygon-fault.ts'
import { type Region, regionOf } from './region.ts'
import { assemblePolygons } from './ring-assembly.ts'
import { unionBoundary } from './union-boundary.ts'

type Polygon = readonly Ring[]

/** Remaining budget for polygon unions; shared by the values of a request, so that many small ones cannot exceed it. */
export interface UnionAllowance {
  /** Pairs of edges that cross: each makes a new vertex, computed exactly. */
  crossings: number
  /** Edges times the polygons they are compared with; `COMPARISONS` of them take as long as one crossing. */
  comparisons: number
}

const COMPARISONS = 50

/** Default of the setting limits.crossings. */
const CROSSINGS = 2_000

export const unionAllowance = (crossings = CROSSINGS): UnionAllowance => ({
  crossings,
  comparisons: COMPARISONS * crossings,
})

/**
 * Unites polygons that overlap or share edges (spec 3.9.4). The others are not changed, so that only crossings of
 * borders have rounded coordinates. Throws GeometryFault if the budget is exceeded, before the expensive work.
 */
export function unitePolygons(
  polygons: readonly Polygon[],
  allowance: UnionAllowance = unionAllowance(),
): readonly Polygon[] {
  return groupByBounds(polygons).flatMap((group) => {
    if (group.length === 1 || polygonFault(group) === undefined) return group
    const regions = distinct(group).map((polygon) => regionOf(windPolygon(polygon), false))
    spend(allowance, 'comparisons', countComparisons(regions))
    spendCrossings(allowance, regions)
    return assemblePolygons(unionBoundary(regions))
  })
}

/** Removes duplicate polygons. */
function distinct(polygons: readonly Polygon[]): readonly Polygon[] {
  return [...new Map(polygons.map((polygon) => [String(polygon), polygon])).values()]
}

interface Member extends BBox {
  readonly polygon: Polygon
}

/** Groups polygons by connected bounding boxes; polygons of different groups cannot touch. */
function groupByBounds(polygons: readonly Polygon[]): readonly (readonly Polygon[])[] {
  const left = new RBush<Member>()
  const members = polygons.map((polygon): Member => {
    const { west, south, east, north } = pathBounds(polygon[0] ?? [])
    return { polygon, minX: west, minY: south, maxX: east, maxY: north }
  })
  left.load(members)
  const grouped = new Set<Member>()
  const groups: Polygon[][] = []
  for (const seed of members) {
    if (grouped.has(seed)) continue
    const group = [seed]
    take(seed)
    for (const member of group) group.push(...left.search(member).map(take))
    groups.push(group.map(({ polygon }) => polygon))
  }
  return groups

  /** Marks a member as grouped, so that it is not found again. */
  function take(member: Member): Member {
    grouped.add(member)
    left.remove(member)
    return member
  }
}

function spend(allowance: UnionAllowance, what: keyof UnionAllowance, count: number): void {
  allowance[what] -= count
  if (allowance[what] < 0) {
    throw new GeometryFault('has polygons that cross each other too often; simplify them (setting limits.crossings)')
  }
}

/** Counts the comparisons of edges with nearby polygons. */
function countComparisons(regions: readonly Region[]): number {
  const near = new RBush<BBox & { readonly at: number }>()
  const boxes = regions.map(({ bounds: { west, south, east, north } }, at) => ({
    ...{ minX: west, minY: south, maxX: east, maxY: north },
    at,
  }))
  near.load(boxes)
  return regions.reduce((sum, { edges }, i) => sum + edges.length * near.search(boxes[i] ?? NOWHERE).length, 0)
}

const NOWHERE: BBox = { minX: 0, minY: 0, maxX: 0, maxY: 0 }

/** Counts crossings until the budget is exceeded. */
function spendCrossings(allowance: UnionAllowance, regions: readonly Region[]): void {
  const owners = new Map<Edge, number>()
  regions.forEach(({ edges }, owner) => {
    for (const edge of edges) owners.set(edge, owner)
  })
  const edges = [...owners.keys()]
  const bounds = pathBounds(
    edges.flatMap(({ ax, ay, bx, by }) => [
      [ax, ay],
      [bx, by],
    ]),
  )
  const tree = edgeTree(edges, bounds)
  for (const [edge, owner] of owners) {
    someEdgeInTree(tree, edgeBox(edge), (other) => {
      // Each pair is found twice, once from each side.
      if ((owners.get(other) ?? owner) > owner && cross(edge, other)) spend(allowance, 'crossings', 1)
      return false
    })
  }
}

function cross(e: Edge, f: Edge): boolean {
  const c = orientation(e.ax, e.ay, e.bx, e.by, f.ax, f.ay)
  const d = orientation(e.ax, e.ay, e.bx, e.by, f.bx, f.by)
  if (!((c > 0 && d < 0) || (c < 0 && d > 0))) return false
  const a = orientation(f.ax, f.ay, f.bx, f.by, e.ax, e.ay)
  const b = orientation(f.ax, f.ay, f.bx, f.by, e.bx, e.by)
  return (a > 0 && b < 0) || (a < 0 && b > 0)
}
