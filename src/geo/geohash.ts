import type { Position } from '../model/geometry.ts'
import type { Box } from './area.ts'

const ALPHABET = '0123456789bcdefghjkmnpqrstuvwxyz'
const LONGEST = 12

/**
 * Returns the geohash cell of a point. West and south edges belong to the cell; 180 and 90 to the last column and row.
 */
export function geohashOf(lon: number, lat: number, length: number): string {
  const columnBits = Math.ceil((5 * length) / 2)
  const rowBits = Math.floor((5 * length) / 2)
  let column = cellOf((lon + 180) / 360, 2 ** columnBits)
  let row = cellOf((lat + 90) / 180, 2 ** rowBits)
  let hash = ''
  // From the last character to the first; the very first bit is a longitude bit.
  for (let bit = 5 * length - 1; bit >= 0; bit -= 5) {
    let value = 0
    for (let place = 0; place < 5; place++) {
      if ((bit - place) % 2 === 0) {
        value += (column % 2) << place
        column = Math.floor(column / 2)
      } else {
        value += (row % 2) << place
        row = Math.floor(row / 2)
      }
    }
    hash = ALPHABET.charAt(value) + hash
  }
  return hash
}

/** Returns the cell of a geohash of 1 to 12 characters, case-insensitive; undefined if invalid. */
export function geohashBounds(hash: string): Box | undefined {
  if (hash.length === 0 || hash.length > LONGEST) return undefined
  let column = 0
  let row = 0
  let columns = 1
  let rows = 1
  let isColumn = true
  for (const character of hash.toLowerCase()) {
    const value = ALPHABET.indexOf(character)
    if (value < 0) return undefined
    for (let place = 4; place >= 0; place--) {
      const bit = (value >> place) & 1
      if (isColumn) {
        column = column * 2 + bit
        columns *= 2
      } else {
        row = row * 2 + bit
        rows *= 2
      }
      isColumn = !isColumn
    }
  }
  return {
    west: (column / columns) * 360 - 180,
    south: (row / rows) * 180 - 90,
    east: ((column + 1) / columns) * 360 - 180,
    north: ((row + 1) / rows) * 180 - 90,
  }
}

/** Returns the centre of a geohash cell. */
export function geohashCentre(hash: string): Position | undefined {
  const box = geohashBounds(hash)
  return box && [(box.west + box.east) / 2, (box.south + box.north) / 2]
}

function cellOf(fraction: number, count: number): number {
  const cell = Math.floor(fraction * count)
  return cell < 0 ? 0 : cell >= count ? count - 1 : cell
}
