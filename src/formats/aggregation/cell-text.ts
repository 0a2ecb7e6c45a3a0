import { tileBounds } from '../../geo/grid/tile.ts'
import type { BucketKey } from '../../query/aggregation/bucket.ts'
import type { GridGrouping } from '../../query/plan/aggregation-plan.ts'
import { cellCentreOf, cellPolygonOf, pointAt } from './cell-geometry.ts'

/** Prints the parts of an answer that depend on the cell of a bucket only. The same texts as `JSON.stringify` gives. */
export interface CellPrinter {
  /** `"key":{"lat":…,"lon":…}`: the centre. */
  key(key: BucketKey): string
  /** The centre as a GeoJSON point. */
  centre(key: BucketKey): string
  /** The outline as a GeoJSON polygon. */
  outline(key: BucketKey): string
}

export function cellPrinter(grouping: GridGrouping): CellPrinter {
  if (grouping.kind === 'geotile') return tilePrinter(grouping.level)
  const centre = cellCentreOf(grouping)
  const polygon = cellPolygonOf(grouping)
  return {
    key(key) {
      const [lon = 0, lat = 0] = centre(key)
      return `"key":{"lat":${lat},"lon":${lon}}`
    },
    centre: (key) => JSON.stringify(pointAt(centre(key))),
    outline: (key) => JSON.stringify(polygon(key)),
  }
}

/** The coordinates of a tile depend on its column or on its row, so few texts make all tiles of a zoom. */
function tilePrinter(zoom: number): CellPrinter {
  const { middleX, middleY, west, north } = textsOf(zoom)
  const tileOf = (key: BucketKey): { readonly x: number; readonly y: number } => {
    if (typeof key !== 'object') throw new Error(`${key} is not a tile`)
    return key
  }
  return {
    key(key) {
      const { x, y } = tileOf(key)
      return `"key":{"lat":${middleY(y)},"lon":${middleX(x)}}`
    },
    centre(key) {
      const { x, y } = tileOf(key)
      return `{"type":"Point","coordinates":[${middleX(x)},${middleY(y)}]}`
    },
    outline(key) {
      const { x, y } = tileOf(key)
      const [w, e, n, s] = [west(x), west(x + 1), north(y), north(y + 1)]
      return `{"type":"Polygon","coordinates":[[[${w},${s}],[${e},${s}],[${e},${n}],[${w},${n}],[${w},${s}]]]}`
    },
  }
}

type TextOf = (position: number) => string

interface TileTexts {
  readonly middleX: TextOf
  readonly middleY: TextOf
  /** West edge of a column, which is the east edge of the one before. */
  readonly west: TextOf
  /** North edge of a row, which is the south edge of the one before. */
  readonly north: TextOf
}

/** Highest zoom of which the texts are kept between answers: a thousand columns and rows. */
const MOST_KEPT_ZOOM = 10

const kept = new Map<number, TileTexts>()

function textsOf(zoom: number): TileTexts {
  const known = kept.get(zoom)
  if (known) return known
  const made: TileTexts = {
    middleX: once((x) => {
      const { west, east } = tileBounds(zoom, x, 0)
      return (west + east) / 2
    }),
    middleY: once((y) => {
      const { south, north } = tileBounds(zoom, 0, y)
      return (south + north) / 2
    }),
    west: once((x) => tileBounds(zoom, x, 0).west),
    north: once((y) => tileBounds(zoom, 0, y).north),
  }
  if (zoom <= MOST_KEPT_ZOOM) kept.set(zoom, made)
  return made
}

/** Prints each number once. */
function once(numberOf: (position: number) => number): TextOf {
  const texts = new Map<number, string>()
  return (position) => {
    let text = texts.get(position)
    if (text === undefined) {
      text = String(numberOf(position))
      texts.set(position, text)
    }
    return text
  }
}
