import { problem } from '../../errors.ts'
import type { Position } from '../../model/geometry.ts'

/** A coordinate reference system of requests and answers. Documents are in longitude and latitude. */
export interface Crs {
  readonly uri: string
  readonly toLonLat: (position: Position) => Position
  readonly fromLonLat: (position: Position) => Position
}

const RADIUS = 6_378_137
const DEGREE = Math.PI / 180
/** Latitudes beyond this are not part of Web Mercator. */
const MERCATOR_END = 85.0511287798066

const same = (position: Position): Position => position
const swapped = ([a = 0, b = 0]: Position): Position => [b, a]

function toMercator([lon = 0, lat = 0]: Position): Position {
  const bounded = Math.min(Math.max(lat, -MERCATOR_END), MERCATOR_END)
  return [lon * DEGREE * RADIUS, Math.log(Math.tan(Math.PI / 4 + (bounded * DEGREE) / 2)) * RADIUS]
}

function fromMercator([x = 0, y = 0]: Position): Position {
  const lat = (2 * Math.atan(Math.exp(y / RADIUS)) - Math.PI / 2) / DEGREE
  // Rounding must not move the edge of the world beyond it.
  const lon = x / RADIUS / DEGREE
  return [Math.abs(lon) > 180 && Math.abs(lon) < 180.000001 ? Math.sign(lon) * 180 : lon, lat]
}

export const crs84: Crs = { uri: 'http://www.opengis.net/def/crs/OGC/1.3/CRS84', toLonLat: same, fromLonLat: same }

export const systems: readonly Crs[] = [
  crs84,
  { uri: 'http://www.opengis.net/def/crs/EPSG/0/4326', toLonLat: swapped, fromLonLat: swapped },
  { uri: 'http://www.opengis.net/def/crs/EPSG/0/3857', toLonLat: fromMercator, fromLonLat: toMercator },
]

/** Finds a system by its URI. The short forms `EPSG:3857` and `OGC:CRS84` are accepted too. */
export function readCrs(parameter: string, text: string | undefined): Crs {
  if (text === undefined) return crs84
  const found = systems.find(({ uri }) => uri === text || shortName(uri) === text.toUpperCase())
  if (found !== undefined) return found
  const reason = `must be one of ${systems.map(({ uri }) => uri).join(', ')}`
  throw problem('INVALID_PARAMETER', { parameter, value: text, reason })
}

function shortName(uri: string): string {
  const [authority = '', , code = ''] = uri.split('/').slice(-3)
  return `${authority}:${code}`
}
