import { cellToBoundary, cellToLatLng, getHexagonEdgeLengthAvg, getPentagons, latLngToCell, UNITS } from 'h3-js'
import { describe, expect, it } from 'vitest'
import { H3Locator } from './h3-locator.ts'

const RADIANS = Math.PI / 180

/** Reproducible numbers in [0, 1) (linear congruential generator). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

type Place = readonly [lon: number, lat: number]

function toPlace(x: number, y: number, z: number): Place {
  return [Math.atan2(y, x) / RADIANS, Math.asin(z / Math.hypot(x, y, z)) / RADIANS]
}

const corners = getPentagons(0).map((cell) => {
  const [lat, lon] = cellToLatLng(cell)
  const flat = Math.cos(lat * RADIANS)
  return [flat * Math.cos(lon * RADIANS), flat * Math.sin(lon * RADIANS), Math.sin(lat * RADIANS)] as const
})

/**
 * Centres of the faces and edges of the icosahedron, whose corners are pentagons: the rounding of H3 is largest there.
 */
function icosahedronPlaces(): Place[] {
  const near = corners.map((a) => corners.filter((b) => b !== a && a[0] * b[0] + a[1] * b[1] + a[2] * b[2] > 0.4))
  return corners.flatMap((a, i) =>
    (near[i] ?? []).flatMap((b) => [
      toPlace(a[0] + b[0], a[1] + b[1], a[2] + b[2]),
      ...(near[i] ?? [])
        .filter((c) => near[corners.indexOf(b)]?.includes(c))
        .map((c) => toPlace(a[0] + b[0] + c[0], a[1] + b[1] + c[1], a[2] + b[2] + c[2])),
    ]),
  )
}

const spots = (resolution: number, random: () => number): readonly Place[] => [
  ...icosahedronPlaces(),
  ...getPentagons(resolution).map((cell): Place => {
    const [lat, lon] = cellToLatLng(cell)
    return [lon, lat]
  }),
  [0, 90],
  [0, -90],
  [180, 10],
  [-180, -60],
  ...Array.from({ length: 20 }, (): Place => [random() * 360 - 180, Math.asin(random() * 2 - 1) / RADIANS]),
]

describe('remembered cells', () => {
  it.each([0, 1, 2, 3, 5, 8, 11, 13, 14, 15])('never change an answer at resolution %d', (resolution) => {
    const random = randomFrom(resolution + 1)
    const locator = new H3Locator(resolution)
    const side = getHexagonEdgeLengthAvg(resolution, UNITS.km) / 111.2
    let wrong = 0
    const check = (x: number, y: number): void => {
      const lat = Math.max(-90, Math.min(90, y))
      const lon = x > 180 ? x - 360 : x < -180 ? x + 360 : x
      if (locator.locate(lon, lat) !== BigInt(`0x${latLngToCell(lat, lon, resolution)}`)) wrong++
    }
    for (const [lon, lat] of spots(resolution, random)) {
      const wide = side / Math.max(Math.cos(lat * RADIANS), 1e-3)
      for (let i = 0; i < 40; i++) {
        const x = Math.max(-540, Math.min(540, lon + (random() - 0.5) * 6 * wide))
        const y = lat + (random() - 0.5) * 6 * side
        check(x, y)
        // Close to a side of that cell, at distances of all magnitudes.
        const ring = cellToBoundary(latLngToCell(Math.max(-90, Math.min(90, y)), x, resolution))
        const [aLat, aLon] = ring[i % ring.length] ?? [0, 0]
        const [bLat, bLon] = ring[(i + 1) % ring.length] ?? [0, 0]
        if (Math.abs(aLon - bLon) > 90) continue
        const share = random()
        const off = (random() - 0.5) * side * 10 ** (-1 - 8 * random())
        check(aLon + share * (bLon - aLon) + off, aLat + share * (bLat - aLat) - off)
      }
    }
    expect(wrong).toBe(0)
  })

  it('are forgotten when there are too many, without changing an answer', () => {
    const random = randomFrom(7)
    const locator = new H3Locator(4, 50)
    const places = Array.from({ length: 3000 }, (): Place => [random() * 10, random() * 10 + 30])
    for (let round = 0; round < 3; round++) {
      const wrong = places.filter(([x, y]) => locator.locate(x, y) !== BigInt(`0x${latLngToCell(y, x, 4)}`))
      expect(wrong).toEqual([])
    }
  })
})
