import type { Position } from '../../model/geometry.ts'
import { orientation } from '../orientation.ts'
import { collapse, isFlat, pathBounds, type Ring } from '../ring.ts'
import { ownersOfHoles } from './hole-owners.ts'

type Polygon = readonly Ring[]

/**
 * Adds `turns` times 360 to a longitude and keeps its decimals: 190.1 becomes the double of -169.9, not its neighbour,
 * so that a border written beyond 180 and a document written within match exactly.
 */
export function turnLongitude(x: number, turns: number): number {
  if (turns === 0) return x
  const turned = x + 360 * turns
  // Adding zero turns -0 into 0, here and below.
  const decimal = Number(turned.toFixed(12)) + 0
  return Math.abs(decimal - turned) < 2 ** -44 ? decimal : turned
}

/** Shifts a longitude into [-180,180]; 180 and -180 are kept. */
export function wrapLongitude(x: number): number {
  return x > 180 || x < -180 ? turnLongitude(x, -Math.round(x / 360)) : x
}

/**
 * Returns the polygon in [-180,180]: cut at odd multiples of 180 and shifted back (spec 3.9.3). Drops parts without
 * area.
 */
export function wrapPolygon(polygon: Polygon): readonly Polygon[] {
  const { west, east } = pathBounds(polygon[0] ?? [])
  if (west >= -180 && east <= 180) return [polygon]
  const pieces: Polygon[] = []
  let rest: readonly Polygon[] = [polygon]
  for (let turn = Math.floor((west + 180) / 360); rest.length > 0; turn++) {
    const meridian = 360 * turn + 180
    for (const piece of rest.flatMap((part) => westOf(part, meridian, (a, b) => latitudeAt(a, b, meridian)))) {
      pieces.push(mapLongitudes(piece, (x) => turnLongitude(x, -turn)))
    }
    rest = rest.flatMap((part) => eastOf(part, meridian))
  }
  return pieces
}

/** Returns the line in [-180,180]: cut at odd multiples of 180 and shifted back; parts on 180 or -180 stay there. */
export function wrapLine(line: readonly Position[]): readonly (readonly Position[])[] {
  const { west, east } = pathBounds(line)
  if (west >= -180 && east <= 180) return [line]
  const pieces: Position[][] = []
  let current: Position[] = []
  let currentTurn: number | undefined
  let previous: Position | undefined
  for (const position of line) {
    if (previous) {
      for (const { from, to, turn } of cutSegment(previous, position)) {
        const start = [turnLongitude(from[0] ?? 0, -turn), from[1] ?? 0]
        if (turn !== currentTurn) {
          current = [start]
          pieces.push(current)
          currentTurn = turn
        }
        current.push([turnLongitude(to[0] ?? 0, -turn), to[1] ?? 0])
      }
    }
    previous = position
  }
  return pieces.map(collapse).filter((piece) => piece.length > 1)
}

/**
 * Returns the uncut segments of a path that cannot be cut exactly at an odd multiple of 180, once for every shift by
 * 360 that reaches [-180,180]. Documents lie within [-180,180], so a point on one of these lies exactly on the path.
 */
export function roundedSegments(path: readonly Position[]): readonly (readonly Position[])[] {
  const { west, east } = pathBounds(path)
  if (west >= -180 && east <= 180) return []
  return path.slice(1).flatMap((b, i) => {
    const a = path[i] ?? b
    const parts = cutSegment(a, b)
    const [[ax = 0, ay = 0], [bx = 0, by = 0]] = [a, b]
    if (parts.every(({ to: [x = 0, y = 0] }) => orientation(ax, ay, bx, by, x, y) === 0)) return []
    return parts.map(({ turn }) => [
      [turnLongitude(ax, -turn), ay],
      [turnLongitude(bx, -turn), by],
    ])
  })
}

interface SegmentPart {
  readonly from: Position
  readonly to: Position
  readonly turn: number
}

function cutSegment(a: Position, b: Position): readonly SegmentPart[] {
  const [ax = 0] = a
  const [bx = 0] = b
  const step = bx >= ax ? 1 : -1
  const parts: SegmentPart[] = []
  let from = a
  // First strip of 360 degrees the segment enters. Both 180 and -180 belong to [-180,180].
  let turn = step > 0 ? Math.floor((ax + 180) / 360) : Math.ceil((ax - 180) / 360)
  if (ax === bx) turn = Math.abs(ax) === 180 ? 0 : Math.ceil((ax - 180) / 360)
  for (;;) {
    const meridian = 360 * turn + 180 * step
    if (step > 0 ? bx <= meridian : bx >= meridian) break
    const to = [meridian, latitudeAt(a, b, meridian)]
    parts.push({ from, to, turn })
    from = to
    turn += step
  }
  parts.push({ from, to: b, turn })
  return parts
}

/**
 * Latitude where an edge meets a meridian (an odd multiple of 180). Computed at 180, from the southern end to the
 * northern one, and rounded to twelve decimals, so that an area and a document cut the same edge alike, independent of
 * its notation.
 */
function latitudeAt(a: Position, b: Position, meridian: number): number {
  const turns = (180 - meridian) / 360
  const [south, north] = (a[1] ?? 0) <= (b[1] ?? 0) ? [a, b] : [b, a]
  const ax = turnLongitude(south[0] ?? 0, turns)
  const bx = turnLongitude(north[0] ?? 0, turns)
  const ay = south[1] ?? 0
  const by = north[1] ?? 0
  if (ax === 180 || ay === by) return ay
  if (bx === 180) return by
  const y = Number((ay + ((180 - ax) / (bx - ax)) * (by - ay)).toFixed(12)) + 0
  return Math.min(Math.max(y, ay), by)
}

function mapLongitudes(polygon: Polygon, change: (x: number) => number): Polygon {
  return polygon.map((ring) => ring.map(([x = 0, y = 0]) => [change(x), y]))
}

/** Returns the part east of a meridian, by mirroring: the part west of it in the mirrored polygon. */
function eastOf(polygon: Polygon, meridian: number): readonly Polygon[] {
  const latitude: Latitude = (a, b) => latitudeAt(mirrorPosition(a), mirrorPosition(b), meridian)
  const pieces = westOf(mapLongitudes(polygon, mirror), -meridian, latitude)
  return pieces.map((piece) => mapLongitudes(piece, mirror).map(reversed))
}

/** Latitude where an edge meets the meridian of a cut. */
type Latitude = (a: Position, b: Position) => number

const mirror = (x: number): number => 0 - x
const mirrorPosition = ([x = 0, y = 0]: Position): Position => [mirror(x), y]
const reversed = (ring: Ring): Ring => ring.toReversed()

/** A run of a ring strictly west of the meridian, with both ends on it. */
interface Chain {
  readonly path: readonly Position[]
  readonly ends: readonly [ChainEnd, ChainEnd]
}

interface ChainEnd {
  readonly y: number
  /** The adjacent position west of the meridian. */
  readonly inner: Position
}

/**
 * Returns the part west of a meridian. Vertices on the meridian count as east of it. Along the meridian the polygon
 * lies between the first and the second crossing, between the third and the fourth, and so on.
 */
function westOf(polygon: Polygon, meridian: number, latitude: Latitude): readonly Polygon[] {
  const isWest = ([x = 0]: Position): boolean => x < meridian
  if (pathBounds(polygon[0] ?? []).east <= meridian) return [polygon]
  const wholeHoles = polygon.filter((ring) =>
    ring.every((position, i) => isWest(position) || touches(ring, i, meridian)),
  )
  const whole = new Set(wholeHoles)
  const chains = polygon
    .filter((ring) => !whole.has(ring) && ring.some(isWest))
    .flatMap((ring) => ringChains(ring, meridian, latitude))
  const pieces = joinChains(chains, meridian).map((ring): Ring[] => [ring])
  const owners = ownersOfHoles(wholeHoles, pieces.flat())
  wholeHoles.forEach((hole, i) => {
    pieces[owners[i] ?? -1]?.push(hole)
  })
  return pieces
}

/** True if a vertex is on the meridian and its edges are not. */
function touches(ring: Ring, at: number, meridian: number): boolean {
  const before = ring[at - 1] ?? ring.at(-2)
  const after = ring[at + 1] ?? ring[1]
  return ring[at]?.[0] === meridian && before?.[0] !== meridian && after?.[0] !== meridian
}

function ringChains(ring: Ring, meridian: number, latitude: Latitude): readonly Chain[] {
  const isWest = ([x = 0]: Position): boolean => x < meridian
  const open = ring.slice(0, -1)
  const first = open.findIndex((position) => !isWest(position))
  const turned = [...open.slice(first), ...open.slice(0, first + 1)]
  const chains: Chain[] = []
  let path: Position[] = []
  let previous: Position = turned[0] ?? []
  for (const position of turned) {
    const west = isWest(position)
    if (west && path.length === 0) path = [[meridian, latitude(previous, position)]]
    if (west) path.push(position)
    else if (path.length > 0) {
      const start = path[0] ?? []
      const end = [meridian, latitude(previous, position)]
      chains.push({
        path: [...path, end],
        ends: [
          { y: start[1] ?? 0, inner: path[1] ?? [] },
          { y: end[1] ?? 0, inner: previous },
        ],
      })
      path = []
    }
    previous = position
  }
  return chains
}

function joinChains(chains: readonly Chain[], meridian: number): readonly Ring[] {
  const ends = chains
    .flatMap((chain) => chain.ends.map((end, which) => ({ ...end, chain, which })))
    .sort((a, b) => a.y - b.y || compareBelow(a, b, meridian))
  const key = (chain: Chain, which: number): ChainEnd | undefined => chain.ends[which]
  const partners = new Map<ChainEnd | undefined, (typeof ends)[number]>()
  for (let i = 0; i + 1 < ends.length; i += 2) {
    const [a, b] = [ends[i], ends[i + 1]]
    if (!a || !b) continue
    partners.set(key(a.chain, a.which), b)
    partners.set(key(b.chain, b.which), a)
  }
  const used = new Set<Chain>()
  const rings: Ring[] = []
  for (const chain of chains) {
    const ring: Position[] = []
    let current: { chain: Chain; which: number } | undefined = { chain, which: 0 }
    while (current && !used.has(current.chain)) {
      used.add(current.chain)
      ring.push(...(current.which === 0 ? current.chain.path : current.chain.path.toReversed()))
      current = partners.get(key(current.chain, 1 - current.which))
    }
    if (ring.length === 0) continue
    const closed = collapse([...ring, ring[0] ?? []])
    if (closed.length > 3 && !isFlat(closed)) rings.push(closed)
  }
  return rings
}

/** Compares two edges that reach the meridian at the same latitude by their order just west of it. */
function compareBelow(a: ChainEnd, b: ChainEnd, meridian: number): number {
  const [ax = 0, ay = 0] = a.inner
  const [bx = 0, by = 0] = b.inner
  return orientation(meridian, a.y, ax, ay, bx, by)
}
