import { clampTile, type Tile, tileColumn, tileRow } from './tile.ts'

/**
 * The tile of a point at zoom 29 as a number of 58 bits: the bits of x and y interleaved, x in the even bits. The keys
 * of all points of a tile of any zoom up to 29 form one contiguous range.
 */

const ZOOM = 29
const SIDE = 2 ** ZOOM

/** The two 32-bit halves of a key as one number; their order depends on the endianness of the machine. */
const scratch = new BigUint64Array(1)
const halves = new Uint32Array(scratch.buffer)
scratch[0] = 1n
const LOW = halves[0] === 1 ? 0 : 1
const HIGH = 1 - LOW

export function mortonKey(lon: number, lat: number): bigint {
  const x = clampTile(tileColumn(lon) * SIDE, SIDE)
  const y = clampTile(tileRow(lat) * SIDE, SIDE)
  return interleave(x, y)
}

/** Computes the keys of many points without a bigint for each. Both arrays have the same length. */
export function mortonKeys(lons: Float64Array, lats: Float64Array): BigUint64Array {
  const keys = new BigUint64Array(lons.length)
  const words = new Uint32Array(keys.buffer)
  for (let i = 0; i < lons.length; i++) {
    const x = clampTile(tileColumn(lons[i] ?? 0) * SIDE, SIDE)
    const y = clampTile(tileRow(lats[i] ?? 0) * SIDE, SIDE)
    words[2 * i + LOW] = spread(x & 0xffff) | (spread(y & 0xffff) << 1)
    words[2 * i + HIGH] = spread(x >>> 16) | (spread(y >>> 16) << 1)
  }
  return keys
}

/** Number of low bits of a key below its tile of zoom `z` (0 to 29). */
export const tileShift = (z: number): number => 2 * (ZOOM - z)

/** Returns the first and last key of a tile of zoom 0 to 29. */
export function tileKeyRange(z: number, x: number, y: number): { first: bigint; last: bigint } {
  const shift = BigInt(tileShift(z))
  const first = interleave(x, y) << shift
  return { first, last: first + (1n << shift) - 1n }
}

/** Returns the tile of zoom 0 to 29 that contains a key. */
export function keyTile(key: bigint, z: number): Tile {
  const bits = key >> BigInt(tileShift(z))
  const low = Number(bits & 0xffffffffn)
  const high = Number(bits >> 32n)
  return {
    x: gather(low) + gather(high) * 0x10000,
    y: gather(low >>> 1) + gather(high >>> 1) * 0x10000,
  }
}

function interleave(x: number, y: number): bigint {
  halves[LOW] = spread(x & 0xffff) | (spread(y & 0xffff) << 1)
  halves[HIGH] = spread(x >>> 16) | (spread(y >>> 16) << 1)
  return scratch[0] ?? 0n
}

/** Moves 16 bits to the even bits of 32. */
function spread(value: number): number {
  let bits = value
  bits = (bits | (bits << 8)) & 0x00ff00ff
  bits = (bits | (bits << 4)) & 0x0f0f0f0f
  bits = (bits | (bits << 2)) & 0x33333333
  return (bits | (bits << 1)) & 0x55555555
}

/** The inverse of `spread`; the odd bits are ignored. */
function gather(value: number): number {
  let bits = value & 0x55555555
  bits = (bits | (bits >>> 1)) & 0x33333333
  bits = (bits | (bits >>> 2)) & 0x0f0f0f0f
  bits = (bits | (bits >>> 4)) & 0x00ff00ff
  return (bits | (bits >>> 8)) & 0xffff
}
