import { outlinesOf, type Position } from '../map/area.ts'
import type { Chip } from './chip.ts'
import { parseGroup, splitUnescaped, type Triplet } from './triplet.ts'

/** A filter in the form of request bodies: outer lists are combined with AND, inner ones with OR. */
interface FilterBody {
  readonly f?: readonly (readonly Triplet[])[]
  readonly q?: readonly (readonly string[])[]
}

const isOn = ({ off }: Chip): boolean => !off

/** Returns the enabled filters as a request body. */
export function filterBody(chips: readonly Chip[]): FilterBody {
  const on = chips.filter(isOn)
  const f = on.flatMap(({ kind, text }) => (kind === 'f' ? [parseGroup(text) ?? []] : []))
  const q = on.flatMap(({ kind, text }) => (kind === 'q' ? [alternatives(text)] : []))
  return { ...(f.length === 0 ? {} : { f }), ...(q.length === 0 ? {} : { q }) }
}

const alternatives = (text: string): readonly string[] =>
  splitUnescaped(text, ';')
    .filter((piece) => piece !== '')
    .map((piece) => piece.replaceAll('\\;', ';'))

/** Returns the enabled filters as a query fragment, the form stored in subscriptions. */
export const filterFragment = (chips: readonly Chip[]): string =>
  chips
    .filter(isOn)
    .map(({ kind, text }) => `${kind}=${encodeURIComponent(text.toWellFormed())}`)
    .join('&')

/** Returns the areas of the enabled filters as one geometry; undefined if none. Splits boxes at the antimeridian. */
export function filterArea(chips: readonly Chip[]): GeoJSON.Polygon | GeoJSON.MultiPolygon | undefined {
  const rings = chips
    .filter(isOn)
    .flatMap(({ kind, text }) => (kind === 'f' ? (parseGroup(text) ?? []) : []))
    .filter(({ op }) => op === 'within' || op === 'intersects')
    .flatMap(({ value }) => outlinesOf(value).slice(0, 1))
    .flatMap(cutAtAntimeridian)
  const polygons = rings.map((ring) => [ring.map((position) => [...position])])
  const [first] = polygons
  if (first === undefined) return undefined
  return polygons.length === 1
    ? { type: 'Polygon', coordinates: first }
    : { type: 'MultiPolygon', coordinates: polygons }
}

/** Only boxes can cross the antimeridian; they are split in two. */
function cutAtAntimeridian(ring: readonly Position[]): readonly (readonly Position[])[] {
  const [[west, south] = [0, 0], , [east, north] = [0, 0]] = ring
  if (ring.length !== 5 || east <= 180) return [ring]
  const box = (left: number, right: number): readonly Position[] => [
    [left, south],
    [right, south],
    [right, north],
    [left, north],
    [left, south],
  ]
  return [box(west, 180), box(-180, east - 360)]
}
