/**
 * Orientation of three points, with an exact sign for any doubles in the range of coordinates. A floating-point filter
 * decides almost always; otherwise the determinant is summed without rounding (J. R. Shewchuk, Adaptive Precision
 * Floating-Point Arithmetic and Fast Robust Geometric Predicates, 1997).
 */

const UNIT = 2 ** -53
const ERROR_BOUND = (3 + 16 * UNIT) * UNIT
/** Splits a double into two halves of 26 bits, whose products are exact. */
const SPLITTER = 2 ** 27 + 1

/** Positive if c lies to the left of a -> b, negative to the right, 0 if the three are exactly collinear. */
export function orientation(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): number {
  const left = (ax - cx) * (by - cy)
  const right = (ay - cy) * (bx - cx)
  const determinant = left - right
  if (Math.abs(determinant) > ERROR_BOUND * (Math.abs(left) + Math.abs(right))) return determinant
  if (left === 0 && right === 0) return 0
  const terms: number[] = []
  pushOrientation(terms, ax, ay, bx, by, cx, cy)
  return signOfSum(terms)
}

/** Orientation of a, b and the exact midpoint of c and d, which may not be a double. */
export function midpointOrientation(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
  dx: number,
  dy: number,
): number {
  const c = orientation(ax, ay, bx, by, cx, cy)
  const d = orientation(ax, ay, bx, by, dx, dy)
  if (c >= 0 && d >= 0) return c > 0 || d > 0 ? 1 : 0
  if (c <= 0 && d <= 0) return -1
  const terms: number[] = []
  pushOrientation(terms, ax, ay, bx, by, cx, cy)
  pushOrientation(terms, ax, ay, bx, by, dx, dy)
  return signOfSum(terms)
}

/** Sign of the exact (a + b) / 2 - c. */
export function compareMidpoint(a: number, b: number, c: number): number {
  const sum = a + b
  // Rounding is monotonic, so only an equal rounded sum is undecided.
  if (sum !== 2 * c) return sum - 2 * c
  const virtual = sum - a
  return a - (sum - virtual) + (b - virtual)
}

function pushOrientation(
  terms: number[],
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
): void {
  pushProduct(terms, ax, by)
  pushProduct(terms, -ay, bx)
  pushProduct(terms, bx, cy)
  pushProduct(terms, -by, cx)
  pushProduct(terms, cx, ay)
  pushProduct(terms, -cy, ax)
}

/** Adds the exact product as two doubles. */
function pushProduct(terms: number[], a: number, b: number): void {
  const product = a * b
  const aBig = SPLITTER * a - (SPLITTER * a - a)
  const bBig = SPLITTER * b - (SPLITTER * b - b)
  const aSmall = a - aBig
  const bSmall = b - bBig
  terms.push(aSmall * bSmall - (product - aBig * bBig - aSmall * bBig - aBig * bSmall), product)
}

function signOfSum(terms: readonly number[]): number {
  let partials: number[] = []
  for (const term of terms) {
    const grown: number[] = []
    let sum = term
    for (const partial of partials) {
      const next = sum + partial
      const virtual = next - sum
      const lost = sum - (next - virtual) + (partial - virtual)
      if (lost !== 0) grown.push(lost)
      sum = next
    }
    grown.push(sum)
    partials = grown
  }
  return Math.sign(partials.findLast((partial) => partial !== 0) ?? 0)
}
