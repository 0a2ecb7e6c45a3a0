/** A seeded random generator: the same seed yields the same documents and questions. */
export interface Random {
  /** Uniform in [0, 1). */
  readonly next: () => number
  /** Integer in [0, n). */
  readonly below: (n: number) => number
  readonly between: (low: number, high: number) => number
  /** Standard normal (Box and Muller, 1958). */
  readonly normal: () => number
  /** Integer in [0, n), with small ones far more frequent, like names and vessels in real data. */
  readonly skewed: (n: number) => number
}

/** mulberry32: small, fast and good enough for test data. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const below = (n: number): number => Math.floor(next() * n)
  return {
    next,
    below,
    between: (low, high) => low + next() * (high - low),
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    skewed: (n) => Math.floor(n * next() ** 3),
  }
}
