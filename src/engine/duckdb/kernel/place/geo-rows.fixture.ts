import { expect } from 'vitest'
import { mortonKey } from '../../../../geo/grid/morton-key.ts'
import { planarCentroid } from '../../../../geo/shape/planar-centroid.ts'
import { type Shape, shapeBounds } from '../../../../geo/shape/shape.ts'
import { encodeShape } from '../../../../geo/shape/wkb.ts'
import type { Geometry, Position } from '../../../../model/geometry.ts'
import { BLOCK, LOW_BITS, NO_KEY, type Points, type ShapeColumn } from '../../segment/column.ts'
import { LiveRows } from '../../segment/live-rows.ts'
import type { Part } from '../../segment/part.ts'
import type { RowTest } from '../row-test.ts'

/** Repeatable random numbers from 0 to 1. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A part of which tests only read the number and the order of the rows. */
export const bareRows = (rows: number, sortedBy?: string): Part => ({
  rows,
  live: LiveRows.all,
  ...(sortedBy === undefined ? {} : { sortedBy }),
  column: () => undefined,
  ids: { id: String, find: () => [] },
  seqs: { seq: (row) => row, row: (seq) => seq },
  extents: { at: new Float64Array(rows), size: new Uint32Array(rows) },
})

type Place = Position | undefined

export const keyOf = ([x = 0, y = 0]: Position): bigint => mortonKey(x, y)

/** Sorts by key, things without a place last. */
export function sortByKey<T>(things: readonly T[], placeOf: (thing: T) => Place): readonly T[] {
  const keyed = things.map((thing) => {
    const place = placeOf(thing)
    return { thing, key: place ? keyOf(place) : 2n ** 64n }
  })
  return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ thing }) => thing)
}

export function pointArrays(places: readonly Place[]): Points {
  const keys = places.map((place) => (place ? keyOf(place) : undefined))
  return {
    lon: Float64Array.from(places, (place) => place?.[0] ?? Number.NaN),
    lat: Float64Array.from(places, (place) => place?.[1] ?? Number.NaN),
    high: Uint32Array.from(keys, (key) => (key === undefined ? NO_KEY : Number(key >> BigInt(LOW_BITS)))),
    low: Uint32Array.from(keys, (key) => (key === undefined ? NO_KEY : Number(key & (2n ** BigInt(LOW_BITS) - 1n)))),
  }
}

/** Box around the positions of each block of rows. */
export function boxesOfBlocks(positions: readonly (readonly Position[])[]): Float64Array {
  const boxes = new Float64Array(4 * Math.ceil(positions.length / BLOCK))
  for (let block = 0; 4 * block < boxes.length; block++) {
    const box = [Infinity, Infinity, -Infinity, -Infinity]
    for (const [x = 0, y = 0] of positions.slice(block * BLOCK, (block + 1) * BLOCK).flat()) {
      box[0] = Math.min(box[0] ?? 0, x)
      box[1] = Math.min(box[1] ?? 0, y)
      box[2] = Math.max(box[2] ?? 0, x)
      box[3] = Math.max(box[3] ?? 0, y)
    }
    boxes.set(box, 4 * block)
  }
  return boxes
}

/** Even degrees often, so that points lie on borders; the rest anywhere, near the origin more often. */
export function randomPosition(random: () => number): Position {
  if (random() < 0.02) return [random() < 0.5 ? -180 : 180, random() < 0.5 ? -90 : 90]
  if (random() < 0.3) return [4 * Math.floor(random() * 40 - 20), 4 * Math.floor(random() * 30 - 15)]
  const [x, y] = [random() * 2 - 1, random() * 2 - 1]
  return random() < 0.5 ? [180 * x, 90 * y] : [60 * x ** 3, 45 * y ** 3]
}

export function randomGeometry(random: () => number): Geometry {
  const origin = randomPosition(random)
  const size = random() < 0.2 ? 60 : 5
  const near = (): Position => [
    Math.max(-180, Math.min(180, (origin[0] ?? 0) + (random() * 2 - 1) * size)),
    Math.max(-90, Math.min(90, (origin[1] ?? 0) + (random() * 2 - 1) * size)),
  ]
  const kind = Math.floor(random() * 6)
  if (kind === 0) return { type: 'Point', coordinates: origin }
  if (kind === 1) return { type: 'LineString', coordinates: [origin, near(), near()] }
  if (kind === 2) return { type: 'MultiPoint', coordinates: [origin, near(), randomPosition(random)] }
  if (kind === 3) return { type: 'GeometryCollection', geometries: [randomGeometry(random), randomGeometry(random)] }
  return { type: 'Polygon', coordinates: [[origin, near(), near(), origin]] }
}

export const centreOf = (shape: Shape | undefined): Position | undefined => shape && planarCentroid(shape)

export function shapeColumn(shapes: readonly (Shape | undefined)[]): ShapeColumn {
  const bounds = shapes.map((shape) => shape && shapeBounds(shape))
  const encoded = shapes.map((shape) => (shape ? encodeShape(shape) : new Uint8Array(0)))
  const wkbStarts = new Float64Array(shapes.length + 1)
  for (const [row, bytes] of encoded.entries()) wkbStarts[row + 1] = (wkbStarts[row] ?? 0) + bytes.length
  const wkb = new Uint8Array(wkbStarts.at(-1) ?? 0)
  for (const [row, bytes] of encoded.entries()) wkb.set(bytes, wkbStarts[row] ?? 0)
  const corners = bounds.map((box): readonly Position[] =>
    box
      ? [
          [box.west, box.south],
          [box.east, box.north],
        ]
      : [],
  )
  return {
    kind: 'shape',
    type: 'GEO_SHAPE',
    ...pointArrays(shapes.map(centreOf)),
    west: Float64Array.from(bounds, (box) => box?.west ?? Number.NaN),
    south: Float64Array.from(bounds, (box) => box?.south ?? Number.NaN),
    east: Float64Array.from(bounds, (box) => box?.east ?? Number.NaN),
    north: Float64Array.from(bounds, (box) => box?.north ?? Number.NaN),
    wkb,
    wkbStarts,
    blockBoxes: boxesOfBlocks(corners),
  }
}

/** Expects that all members of a test tell the same rows. */
export function expectRows(
  test: RowTest,
  rows: number,
  expected: (row: number) => boolean,
  random: () => number,
): void {
  const matching = Array.from({ length: rows }, (_, row) => row).filter(expected)
  const all = new Set(matching)
  const rowsOf = (mask: Uint8Array, from: number): readonly number[] =>
    Array.from(mask, (wanted, i) => (wanted === 1 ? from + i : -1)).filter((row) => row >= 0)

  const filled: number[] = []
  const refined: number[] = []
  const asked: number[] = []
  for (let from = 0; from < rows; ) {
    const to = Math.min(rows, from + 1 + Math.floor(random() * BLOCK))
    const mask = new Uint8Array(to - from).fill(7)
    test.fill(from, to, mask)
    expect(mask.every((value) => value === 0 || value === 1)).toBe(true)
    filled.push(...rowsOf(mask, from))
    if (test.refine) {
      const share = random() ** 3
      const wanted = Uint8Array.from({ length: to - from }, () => (random() < share ? 1 : 0))
      asked.push(...rowsOf(wanted, from))
      test.refine(from, to, wanted)
      refined.push(...rowsOf(wanted, from))
    }
    from = to
  }
  expect(filled).toEqual(matching)
  expect(refined).toEqual(asked.filter((row) => all.has(row)))
  for (let i = 0; i < 200; i++) {
    const row = Math.floor(random() * rows)
    expect(test.holds(row)).toBe(all.has(row))
  }
  const share = random()
  const some = Uint32Array.from(Array.from({ length: rows }, (_, row) => row).filter(() => random() < share))
  const list = new Uint32Array(some.length + 1)
  if (test.select) {
    const count = test.select(some, list)
    expect([...list.subarray(0, count)]).toEqual([...some].filter((row) => all.has(row)))
  }
  expectDecisions(test, rows, all)
  expectCandidates(test, matching)
}

function expectDecisions(test: RowTest, rows: number, all: ReadonlySet<number>): void {
  for (let block = 0; test.decide && block * BLOCK < rows; block++) {
    const decision = test.decide(block)
    if (decision === 'some') continue
    for (let row = block * BLOCK; row < Math.min(rows, (block + 1) * BLOCK); row++) {
      if (all.has(row) !== (decision === 'all')) expect([decision, row]).toBe(undefined)
    }
  }
}

function expectCandidates({ candidates }: RowTest, matching: readonly number[]): void {
  if (!candidates) return
  const listed: number[] = []
  if (candidates.kind === 'rows') listed.push(...candidates.rows)
  else {
    let end = 0
    for (const [from, to] of candidates.ranges) {
      expect(from).toBeGreaterThanOrEqual(end)
      for (let row = from; row < to; row++) listed.push(row)
      end = to
    }
  }
  expect(new Set(listed).size).toBe(listed.length)
  expect(listed.every((row, i) => i === 0 || (listed[i - 1] ?? 0) < row)).toBe(true)
  if (candidates.exact) expect(listed).toEqual(matching)
  else
    expect(
      matching.every(
        (
          (known) => (row: number) =>
            known.has(row)
        )(new Set(listed)),
      ),
    ).toBe(true)
}
