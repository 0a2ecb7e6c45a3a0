import type { Position } from '../../model/geometry.ts'
import type { Ring } from '../ring.ts'

const closed = (path: readonly Position[]): Ring => [...path, path[0] ?? []]

const along = (count: number, place: (share: number, i: number) => Position): Position[] =>
  Array.from({ length: count }, (_, i) => place(i / count, i))

/**
 * Valid polygons of about the given number of vertices, made to be slow: most have edges that reach across all others.
 */
export function spikyRings(vertices: number): Readonly<Record<string, readonly Ring[]>> {
  const star = (radius: number): Ring =>
    closed(
      along(vertices & ~1, (share, i) => {
        const r = i % 2 === 0 ? radius : 80
        return [2 * r * Math.cos(2 * Math.PI * share), r * Math.sin(2 * Math.PI * share)]
      }),
    )
  const teeth = along(vertices & ~1, (share, i) => [-170 + 340 * share, i % 2 === 0 ? -79 : 80])
  const comb = closed([[-171, -80], [171, -80], ...teeth.toReversed()])
  const turns = along(vertices >> 1, (share) => {
    const [angle, r] = [120 * Math.PI * share, 2 + 76 * share]
    return [2 * r * Math.cos(angle), r * Math.sin(angle)]
  })
  const spiral = closed([...turns, ...turns.map(([x = 0, y = 0]): Position => [1.002 * x, 1.002 * y]).toReversed()])
  return {
    star: [star(5)],
    'star with a small heart': [star(0.01)],
    comb: [comb],
    'lying comb': [comb.map(([x = 0, y = 0]): Position => [y, x / 2]).toReversed()],
    'slanting comb': [comb.map(([x = 0, y = 0]): Position => [(x + y) / 2, (y - x) / 3])],
    spiral: [spiral],
  }
}
