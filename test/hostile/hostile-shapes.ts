/** Closed rings designed to be slow: each has `count` positions plus the closing one. */

type Ring = readonly (readonly [number, number])[]

const print = (ring: Ring): string => `(${[...ring, ring[0] ?? [0, 0]].map(([x, y]) => `${x} ${y}`).join(',')})`
export const polygon = (...rings: readonly Ring[]): string => `POLYGON(${rings.map(print).join(',')})`

const around = (count: number, radius: (i: number) => number): Ring =>
  Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * i) / count
    return [rounded(radius(i) * Math.cos(angle)), rounded(radius(i) * Math.sin(angle))]
  })

const rounded = (n: number): number => Math.round(n * 1e6) / 1e6

/** Spikes from the centre to the border. */
export const star = (count: number): Ring => around(count, (i) => (i % 2 === 0 ? 60 : 1))

/** Long teeth side by side, which every horizontal line crosses. */
export const comb = (count: number): Ring => [
  ...Array.from({ length: count }, (_, i) => [rounded(-80 + (160 * i) / count), i % 2 === 0 ? -60 : 60] as const),
  [80, 70],
  [-80, 70],
]

/** Each edge crosses nearly all others, so it is not a valid polygon. */
export const tangle = (count: number): Ring =>
  Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * i * Math.floor(count / 2)) / count
    return [rounded(60 * Math.cos(angle)), rounded(60 * Math.sin(angle))]
  })

/** A large square with many small holes. */
export function sieve(holes: number): string {
  const side = Math.ceil(Math.sqrt(holes))
  const step = 100 / side
  const rings = Array.from({ length: holes }, (_, i): Ring => {
    const x = rounded(-50 + step * (i % side))
    const y = rounded(-50 + step * Math.floor(i / side))
    const [w, n] = [rounded(x + step / 2), rounded(y + step / 2)]
    return [
      [x, y],
      [x, n],
      [w, n],
    ]
  })
  const border: Ring = [
    [-60, -60],
    [60, -60],
    [60, 60],
    [-60, 60],
  ]
  return polygon(border, ...rings)
}

/** Triangles that overlap their neighbours. */
export const crowd = (count: number): string =>
  `MULTIPOLYGON(${Array.from({ length: count }, (_, i) => {
    const x = rounded(-80 + (160 * i) / count)
    return `((${x} -60,${x + 5} -60,${x + 1} 60,${x} -60))`
  }).join(',')})`
