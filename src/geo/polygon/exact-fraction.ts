import type { Edge } from './edge-tree.ts'

/** A rational number; the denominator is positive. */
export interface Fraction {
  readonly n: bigint
  readonly d: bigint
}

/** Bits kept when a fraction becomes a double: enough for the nearest double of any realistic coordinate. */
const ROUNDING_BITS = 120n

/** Converts a double to a fraction, without rounding. */
export function exactFraction(x: number): Fraction {
  const bits = exactBits(x)
  return { n: scaled(x, bits), d: 1n << BigInt(bits) }
}

export function compareFractions(a: Fraction, b: Fraction): number {
  const left = a.n * b.d
  const right = b.n * a.d
  return left < right ? -1 : left > right ? 1 : 0
}

/** Depends on the value only, so equal fractions give the same double even if not reduced. */
export function roundFraction({ n, d }: Fraction): number {
  const magnitude = ((n < 0n ? -n : n) << ROUNDING_BITS) / d
  return (n < 0n ? -1 : 1) * Number(magnitude) * 2 ** -Number(ROUNDING_BITS)
}

/** Returns the point where two edges cross; they must cross. */
export function crossingPoint(e: Edge, f: Edge): { readonly x: Fraction; readonly y: Fraction } {
  const values = [e.ax, e.ay, e.bx, e.by, f.ax, f.ay, f.bx, f.by]
  const bits = Math.max(...values.map(exactBits))
  const [ax = 0n, ay = 0n, bx = 0n, by = 0n, cx = 0n, cy = 0n, dx = 0n, dy = 0n] = values.map((x) => scaled(x, bits))
  const across = (bx - ax) * (dy - cy) - (by - ay) * (dx - cx)
  const along = (cx - ax) * (dy - cy) - (cy - ay) * (dx - cx)
  const d = across << BigInt(bits)
  return { x: positive(ax * across + along * (bx - ax), d), y: positive(ay * across + along * (by - ay), d) }
}

const positive = (n: bigint, d: bigint): Fraction => (d < 0n ? { n: -n, d: -d } : { n, d })

/** Number of binary digits after the point. */
function exactBits(x: number): number {
  let bits = 0
  for (let rest = x; !Number.isInteger(rest); rest *= 2) bits++
  return bits
}

function scaled(x: number, bits: number): bigint {
  // In two steps, because 2 ** bits may overflow a double.
  const half = bits >> 1
  return BigInt(x * 2 ** half * 2 ** (bits - half))
}
