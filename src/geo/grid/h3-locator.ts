import { cellToBoundary, cellToLatLng, getHexagonEdgeLengthAvg, latLngToCell, UNITS } from 'h3-js'

/** A cell with the data to decide, without calling H3, that a point lies well inside it. */
interface KnownCell {
  readonly index: bigint
  readonly lon: number
  readonly lat: number
  /** Inner circle around the centre: its squared radius in degrees, and the scale of squared longitude differences. */
  readonly reach: number
  readonly narrowing: number
  /** Maximum latitude difference to the centre, in degrees. */
  readonly height: number
  /** Inward normals of the great circles through the sides, three numbers each. */
  readonly normals: Float64Array
  readonly margin: number
}

const RADIANS = Math.PI / 180
const KM_PER_DEGREE = 111.2
/** Slots of the hash map of squares; a power of two. Each holds the last cells found: up to three meet in a corner. */
const SQUARES = 2 ** 18
const CELLS_PER_SQUARE = 3
const SQUARES_PER_SIDE = 2
/** Only requests with more buckets than most servers allow use more cells. */
const MOST_CELLS = 2 ** 16
/** Maximum squares filled at once. Near the poles a cell covers more; there, squares are filled as points arrive. */
const MOST_FILLED = 100

/**
 * Radians. Points closer than this to a side are left to H3. Its own rounding error is that large in cells one metre
 * wide, near the centres of the icosahedron faces, where it takes the arc cosine of almost 1.
 */
const NEAREST = 4e-9
const NEAREST_SHARE = 1e-3

/**
 * Returns the H3 cells of many points at one resolution. A call of H3 takes microseconds, and consecutive points are
 * usually close to each other, so recent cells are cached and used for points well inside them.
 */
export class H3Locator {
  readonly #resolution: number
  readonly #mostCells: number
  readonly #squaresPerDegree: number
  /** The cells of each square, most recent first. */
  readonly #near: (KnownCell | undefined)[] = new Array(SQUARES * CELLS_PER_SQUARE).fill(undefined)
  /** A cell found once has no record yet; one is created at the second point. */
  readonly #cells = new Map<string, KnownCell | undefined>()

  constructor(resolution: number, mostCells: number = MOST_CELLS) {
    this.#resolution = resolution
    this.#mostCells = mostCells
    this.#squaresPerDegree = (SQUARES_PER_SIDE / getHexagonEdgeLengthAvg(resolution, UNITS.km)) * KM_PER_DEGREE
  }

  /** Returns the index of the cell of a point; same result as `h3CellOf`. */
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

  /** Adds the cell to every square whose centre lies in it. */
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

/**
 * Hash slot of a square. Distant squares may share a slot; that is harmless, because the cells found are always tested.
 */
function squareAt(column: number, row: number): number {
  return ((Math.imul(column, 0x9e3779b1) ^ Math.imul(row, 0x85ebca6b)) & (SQUARES - 1)) * CELLS_PER_SQUARE
}

/** True if the point is in the inner circle. Haversine formula with sin² replaced by the larger squared angle. */
function isNearCentre(cell: KnownCell, lon: number, lat: number): boolean {
  const north = lat - cell.lat
  const east = lon - cell.lon
  return north * north + cell.narrowing * east * east <= cell.reach
}

/** True only for points in the cell; false is inconclusive. */
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

/** Unit normal to the left of the side a -> b; computed from the difference, which stays precise for short sides. */
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
