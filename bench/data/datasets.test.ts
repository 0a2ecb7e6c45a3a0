import { describe, expect, it } from 'vitest'
import { liveBatches } from './changes.ts'
import { datasets } from './datasets.ts'
import { documents, LAST_DAY } from './documents.ts'
import { flights } from './flights.ts'
import { seededRandom } from './random.ts'
import { shapes } from './shapes.ts'
import { drawWord, frequentWord, ordinaryWord, rareWord, vocabulary } from './vocabulary.ts'

describe('vocabulary', () => {
  it('has 20,000 different words', () => {
    expect(new Set(vocabulary).size).toBe(20_000)
    expect(vocabulary.every((word) => /^([b-z][aeiou]){2,3}$/.test(word))).toBe(true)
  })

  it('has words of three frequencies', () => {
    const random = seededRandom(1)
    const counts = new Map<string, number>()
    for (let n = 0; n < 200_000; n++) {
      const word = drawWord(random)
      counts.set(word, (counts.get(word) ?? 0) + 1)
    }
    const share = (word: string): number => (counts.get(word) ?? 0) / 200_000
    expect(share(frequentWord(random))).toBeGreaterThan(0.004)
    expect(share(ordinaryWord(random))).toBeLessThan(0.004)
    expect(share(ordinaryWord(random))).toBeGreaterThan(0.0002)
    expect(share(rareWord(random))).toBeLessThan(0.0001)
  })
})

describe('documents', () => {
  it('are the same for the same seed, with ids from 0 on', () => {
    const [first] = documents(1_000, 1)
    expect([...documents(1_000, 1)][0]).toEqual(first)
    const ids = [...documents(1_000, 1)].map(({ id }) => id).sort()
    expect(new Set(ids).size).toBe(1_000)
    expect([ids.at(0), ids.at(-1)]).toEqual(['doc-000000000', 'doc-000000999'])
    expect(first?.title.split(' ')).toHaveLength(8)
  })

  it('are in four indices of the same size', () => {
    const { indices, indexOf } = datasets.quarters
    const used = [...documents(1_000, 1)].map(({ id }) => indexOf?.(id))
    expect(indices.map((index) => used.filter((one) => one === index).length)).toEqual([250, 250, 250, 250])
  })
})

describe('shapes', () => {
  it('are closed, counter-clockwise rings around their centre, without edges that cross', () => {
    for (const { area, centre } of shapes(2_000, 1)) {
      const [ring] = area.coordinates
      expect(ring.length).toBeGreaterThanOrEqual(6)
      expect(ring.length).toBeLessThanOrEqual(13)
      expect(ring.at(-1)).toEqual(ring[0])
      expect(ring.every(([lon, lat]) => Math.abs(lon) < 180 && Math.abs(lat) < 85)).toBe(true)
      const lons = ring.map(([lon]) => lon)
      expect(centre.lon).toBeGreaterThan(Math.min(...lons))
      expect(centre.lon).toBeLessThan(Math.max(...lons))
      expect(hasCrossing(ring.slice(0, -1))).toBe(false)
    }
  })
})

type Position = readonly [number, number]

const side = ([ax, ay]: Position, [bx, by]: Position, [cx, cy]: Position): number =>
  Math.sign((bx - ax) * (cy - ay) - (by - ay) * (cx - ax))

function hasCrossing(ring: readonly Position[]): boolean {
  const edges = ring.map((from, n): readonly [Position, Position] => [from, ring[(n + 1) % ring.length] ?? from])
  return edges.some(([a, b], n) =>
    edges.some(
      ([c, d], m) =>
        Math.abs(n - m) > 1 &&
        Math.abs(n - m) < edges.length - 1 &&
        side(a, b, c) !== side(a, b, d) &&
        side(c, d, a) !== side(c, d, b),
    ),
  )
}

describe('flights', () => {
  it('are real ones, with the place of their origin', async () => {
    for await (const flight of flights(1)) {
      expect(flight).toMatchObject({ id: 'flight-0000000', delay: 33, distance: 2176, origin: 'LAS' })
      expect(flight.seen).toBe(Date.UTC(2001, 0, 1, 0, 1))
      expect(flight.location.lat).toBeCloseTo(36.08, 1)
      expect(flight.location.lon).toBeCloseTo(-115.15, 1)
    }
  })
})

describe('live batches', () => {
  it('have 180 new documents, 20 updates and 2 deletes', () => {
    const lines = String(liveBatches(1, 500).next().value).trim().split('\n')
    const written = lines.flatMap((line) => (line.startsWith('{"id"') ? [JSON.parse(line)] : []))
    expect(written).toHaveLength(200)
    expect(written.filter(({ id }) => id >= 'doc-000000500')).toHaveLength(180)
    expect(lines.filter((line) => line.startsWith('{"delete"'))).toHaveLength(2)
    const dates = written.map(({ seen }) => Number(seen))
    expect(dates).toEqual([...dates].sort((a, b) => a - b))
    expect(dates[0]).toBeGreaterThanOrEqual(LAST_DAY)
  })
})
