import { cellToBoundary, cellToLatLng, getHexagonEdgeLengthAvg, latLngToCell, UNITS } from 'h3-js'

/** A cell with what is needed to tell, without asking H3, that a place lies well inside it. */
interface KnownCell {
  readonly index: bigint
  readonly lon: number
  readonly lat: number
  /** The circle around the centre: squares of degrees, and how much narrower a degree of longitude is at most. */
  readonly reach: number
  readonly narrowing: number
  /** Places further than this from the centre's latitude are not worth a closer look. */
  readonly height: number
  /** Inward normals of the great circles through the sides, three numbers each. */
  readonly normals: Float64Array
  readonly margin: number
}

const RADIANS = Math.PI / 180
const KM_PER_DEGREE = 111.2
/** Squares of the map, each with the last cells met in it: three of them meet in a corner. A power of two. */
const SQUARES = 2 ** 18
const CELLS_PER_SQUARE = 3
const SQUARES_PER_SIDE = 2
/** More cells are met only by requests that have more buckets than most servers allow. */
const MOST_CELLS = 2 ** 16
/** Near the poles, where a cell has many squares, they are filled as places come. */
const MOST_FILLED = 100

/**
 * Places this near to a side, in radians, are left to H3. Its own rounding is that coarse in cells that are a metre
 * wide, near the centres of the faces of its icosahedron, where it takes the arc cosine of almost 1.
 */
const NEAREST = 4e-9
const NEAREST_SHARE = 1e-3

/**
 * The H3 cells of many places at one resolution. Asking H3 costs microseconds, and places that follow each other are
 * mostly near each other: so the cells met last are remembered, and answer for what lies well inside them.
 */
export class H3Locator {
  readonly #resolution: number
  readonly #mostCells: number
  readonly #squaresPerDegree: number
  /** The cells of the squares, one square after the other, the newest first. */
  readonly #near: (KnownCell | undefined)[] = new Array(SQUARES * CELLS_PER_SQUARE).fill(undefined)
  /** Cells met once have no record yet: making one is worth it from the second place on. */
  readonly #cells = new Map<string, KnownCell | undefined>()

  constructor(resolution: number, mostCells: number = MOST_CELLS) {
    this.#resolution = resolution
    this.#mostCells = mostCells
    this.#squaresPerDegree = (SQUARES_PER_SIDE / getHexagonEdgeLengthAvg(resolution, UNITS.km)) * KM_PER_DEGREE
  }

  /** The index of the cell of a place; the same as `h3CellOf` says. */
  locate(lon: number, lat: number): bigint {
    const square = squareAt(
      Math.floor((lon + 180) * this.#squaresPerDegree),
      Math.floor((lat + 90) * this.#squaresPerDegree),
    )
    const near = this.#near
    for (let i = square; i < square + CELLS_PER_SQUARE; i++) {
      const cell = near[i]
      if (cell === undefined) break
      if (isNearCentre(cell, lon, lat)) return cell.index
    }
    for (let i = square; i < square + CELLS_PER_SQUARE; i++) {
      const cell = near[i]
      if (cell === undefined) break
      if (isWellInside(cell, lon, lat)) return cell.index
    }
    return this.#ask(square, lon, lat)
  }

  #ask(square: number, lon: number, lat: number): bigint {
    const name = latLngToCell(lat, lon, this.#resolution)
    const known = this.#cells.get(name)
    if (known !== undefined) {
      this.#put(square, known)
      return known.index
    }
    if (this.#cells.size >= this.#mostCells) this.#forget()
    if (!this.#cells.has(name)) {
      this.#cells.set(name, undefined)
      return BigInt(`0x${name}`)
    }
    const cell = knownCell(name)
    this.#cells.set(name, cell)
    this.#fillSquares(cell)
    return cell.index
  }

  #put(square: number, cell: KnownCell): void {
    const near = this.#near
    if (near[square] === cell || near[square + 1] === cell || near[square + 2] === cell) return
    near.copyWithin(square + 1, square, square + CELLS_PER_SQUARE - 1)
    near[square] = cell
  }

  /** Every square whose middle lies in the cell. */
  #fillSquares(cell: KnownCell): void {
    const scale = this.#squaresPerDegree
    const width = cell.height / Math.max(Math.cos(cell.lat * RADIANS), 1e-9)
    const firstColumn = Math.floor((cell.lon + 180 - width) * scale)
    const lastColumn = Math.floor((cell.lon + 180 + width) * scale)
    const firstRow = Math.floor((cell.lat + 90 - cell.height) * scale)
    const lastRow = Math.floor((cell.lat + 90 + cell.height) * scale)
    if ((lastColumn - firstColumn + 1) * (lastRow - firstRow + 1) > MOST_FILLED) return
    for (let column = firstColumn; column <= lastColumn; column++) {
      for (let row = firstRow; row <= lastRow; row++) {
        const inside = isWellInside(cell, (column + 0.5) / scale - 180, (row + 0.5) / scale - 90)
        if (inside) this.#put(squareAt(column, row), cell)
      }
    }
  }

  #forget(): void {
    this.#cells.clear()
    this.#near.fill(undefined)
  }
}

/** Where the cells of a square begin. Far squares may share a place; what is remembered there is tested anyway. */
function squareAt(column: number, row: number): number {
  return ((Math.imul(column, 0x9e3779b1) ^ Math.imul(row, 0x85ebca6b)) & (SQUARES - 1)) * CELLS_PER_SQUARE
}

/** In the circle; by the haversine formula, with its squared sines replaced by the larger squares of the angles. */
function isNearCentre(cell: KnownCell, lon: number, lat: number): boolean {
  const north = lat - cell.lat
  const east = lon - cell.lon
  return north * north + cell.narrowing * east * east <= cell.reach
}

/** True only for places of the cell; false says nothing. */
function isWellInside(cell: KnownCell, lon: number, lat: number): boolean {
  if (Math.abs(lat - cell.lat) > cell.height) return false
  const { normals, margin } = cell
  const flat = Math.cos(lat * RADIANS)
  const x = flat * Math.cos(lon * RADIANS)
  const y = flat * Math.sin(lon * RADIANS)
  const z = Math.sin(lat * RADIANS)
  for (let i = 0; i < normals.length; i += 3) {
    if ((normals[i] ?? 0) * x + (normals[i + 1] ?? 0) * y + (normals[i + 2] ?? 0) * z < margin) return false
  }
  return true
}

type Vector = readonly [x: number, y: number, z: number]

function knownCell(name: string): KnownCell {
  const [lat, lon] = cellToLatLng(name)
  const centre = unitVector(lon, lat)
  const corners = cellToBoundary(name).map(([y, x]) => unitVector(x, y))
  const normals = corners.map((corner, i) => normalOf(corner, corners[(i + 1) % corners.length] ?? corner))
  const radius = Math.min(...normals.map((normal) => Math.asin(dot(normal, centre))))
  const margin = NEAREST + NEAREST_SHARE * radius
  const safe = Math.max(0, radius - margin)
  const nearestToEquator = Math.max(0, Math.abs(lat) * RADIANS - safe)
  return {
    index: BigInt(`0x${name}`),
    lon,
    lat,
    reach: ((2 * Math.sin(safe / 2)) / RADIANS) ** 2,
    narrowing: Math.cos(lat * RADIANS) * Math.cos(nearestToEquator),
    height: (1.01 * Math.max(...corners.map((corner) => chord(corner, centre)))) / RADIANS,
    normals: Float64Array.from(normals.flat()),
    margin,
  }
}

function unitVector(lon: number, lat: number): Vector {
  const flat = Math.cos(lat * RADIANS)
  return [flat * Math.cos(lon * RADIANS), flat * Math.sin(lon * RADIANS), Math.sin(lat * RADIANS)]
}

/** Across the side a -> b, to its left; from their difference, which keeps its digits however short the side is. */
function normalOf(a: Vector, b: Vector): Vector {
  const [dx, dy, dz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]]
  const [x, y, z] = [a[1] * dz - a[2] * dy, a[2] * dx - a[0] * dz, a[0] * dy - a[1] * dx]
  const length = Math.hypot(x, y, z)
  return [x / length, y / length, z / length]
}

function chord(a: Vector, b: Vector): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
}

function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
