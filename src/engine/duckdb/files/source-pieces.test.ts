import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../../bench/data/random.ts'
import { seed } from '../../../../test/support/seed.ts'
import { gatherPieces } from './source-pieces.ts'

const KIB = 1024
const MIB = 1024 * KIB

describe('places of one file', () => {
  it('are read at once when they lie side by side or nearly so, whatever order they are asked in', () => {
    const places = [
      { at: 300, size: 50 },
      { at: 0, size: 100 },
      { at: 350 + 2 * KIB, size: 10 },
      { at: 100, size: 200 },
    ]
    expect(gatherPieces(places)).toEqual([{ at: 0, size: 360 + 2 * KIB, places: [1, 3, 0, 2] }])
  })

  it('are read one by one when they lie far apart', () => {
    const places = [
      { at: 0, size: 100 },
      { at: 101 + 2 * KIB, size: 5 },
    ]
    expect(gatherPieces(places)).toEqual([
      { at: 0, size: 100, places: [0] },
      { at: 101 + 2 * KIB, size: 5, places: [1] },
    ])
  })

  it('are cut into pieces of a bounded size, between documents', () => {
    const places = Array.from({ length: 5 }, (_, i) => ({ at: i * 400 * KIB, size: 400 * KIB }))
    expect(gatherPieces(places).map((p) => [p.at / KIB, p.size / KIB])).toEqual([
      [0, 800],
      [800, 800],
      [1600, 400],
    ])
    expect(
      gatherPieces([
        { at: 0, size: 10 },
        { at: 10, size: 3 * MIB },
        { at: 10 + 3 * MIB, size: 10 },
      ]).map((p) => p.size),
    ).toEqual([10, 3 * MIB, 10])
  })

  it('may be asked for twice, overlap or be empty', () => {
    const places = [
      { at: 10, size: 20 },
      { at: 10, size: 20 },
      { at: 10, size: 0 },
      { at: 0, size: 100 },
    ]
    expect(gatherPieces(places)).toEqual([{ at: 0, size: 100, places: [3, 0, 1, 2] }])
    expect(gatherPieces([])).toEqual([])
  })

  it('lie whole in exactly one piece each', () => {
    const random = seededRandom(seed)
    let end = 0
    const places = Array.from({ length: 3_000 }, () => {
      const at = end + (random.next() < 0.5 ? 0 : random.below(6 * KIB))
      const size = random.below(random.next() < 0.01 ? 2 * MIB : 3_000)
      end = at + size
      return { at, size }
    }).sort((a, b) => (a.size % 7) - (b.size % 7))
    const pieces = gatherPieces(places)
    expect(
      pieces.flatMap((p) => p.places).sort((a, b) => a - b),
      `seed ${seed}`,
    ).toEqual([...places.keys()])
    for (const piece of pieces) {
      for (const number of piece.places) {
        const place = places[number]
        expect(place && place.at >= piece.at && place.at + place.size <= piece.at + piece.size).toBe(true)
      }
      expect(piece.places.length === 1 || piece.size <= MIB).toBe(true)
    }
  })
})
