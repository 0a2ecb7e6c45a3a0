import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../../../bench/data/random.ts'
import { seed } from '../../../../test/support/seed.ts'
import { BatchSize } from './batch-size.ts'

const limits = { start: 10_000, min: 100, max: 50_000, targetMs: 250 }
const DOCUMENTS = 2_000_000

/** Model of a machine: returns the milliseconds of a batch, given random numbers from 0 to 1. */
type Machine = (documents: number, random: () => number) => number

/** Time per commit, time per document, and delays by others. */
const atRest: Machine = (documents) => 15 + documents * 0.02
const slow: Machine = (documents, random) => (15 + documents * 0.1) * (0.9 + 0.2 * random())
const starved: Readonly<Record<string, Machine>> = {
  'stalls in most batches': (n, random) => 40 + n * 0.05 + (random() < 0.7 ? exponential(300, random) : 0),
  'long stalls in all batches': (n, random) => 100 + n * 0.05 + exponential(1_500, random),
  'some stalls that are very long': (n, random) => 40 + n * 0.05 + (random() < 0.5 ? 5_000 * random() ** 4 : 0),
  'all work several times as slow, or not': (n, random) => (30 + n * 0.04) * (1 + 6 * random()),
}

const exponential = (mean: number, random: () => number): number => -mean * Math.log(1 - random())

interface Course {
  readonly sizes: readonly number[]
  readonly documentsPerSecond: number
}

/** Simulates the batches of a tag on a machine, and reports them to `size`. */
function carryOut(size: Pick<BatchSize, 'current' | 'took'>, machine: Machine, start = 1): Course {
  const random = seededRandom(start).next
  const sizes: number[] = []
  let documents = 0
  let total = 0
  while (documents < DOCUMENTS) {
    const { current } = size
    const ms = machine(current, random)
    sizes.push(current)
    documents += current
    total += ms
    size.took(current, ms)
  }
  return { sizes, documentsPerSecond: (1_000 * documents) / total }
}

const fixed = (current: number): Pick<BatchSize, 'current' | 'took'> => ({ current, took: () => undefined })

describe('batches at rest', () => {
  test('stay as they are when they take about as long as wanted', () => {
    expect(new Set(carryOut(new BatchSize(limits), atRest).sizes)).toEqual(new Set([limits.start]))
  })

  test('grow at once when they are quick, up to the limit', () => {
    const size = new BatchSize(limits)
    const after = (ms: number): number => {
      size.took(size.current, ms)
      return size.current
    }
    expect([100, 99, 99, 99, 99].map(after)).toEqual([10_000, 20_000, 40_000, 50_000, 50_000])
  })

  test('do not grow when the sizes of the documents limit them', () => {
    const size = new BatchSize(limits)
    for (let n = 0; n < 10; n++) size.took(3_000, 10)
    expect(size.current).toBe(limits.start)
  })

  test('become smaller where that is no slower per document', () => {
    const { sizes, documentsPerSecond } = carryOut(new BatchSize(limits), slow)
    expect(Math.max(...sizes.slice(-100))).toBeLessThanOrEqual(5_000)
    expect(documentsPerSecond).toBeGreaterThan(0.85 * carryOut(fixed(limits.start), slow).documentsPerSecond)
  })

  test('become smaller where that is faster per document', () => {
    const crowded: Machine = (n, random) => (10 + n * 0.02 + n * n * 2e-5) * (0.9 + 0.2 * random())
    const { sizes, documentsPerSecond } = carryOut(new BatchSize(limits), crowded)
    expect(sizes.at(-1)).toBe(2_500)
    expect(documentsPerSecond).toBeGreaterThan(2 * carryOut(fixed(limits.start), crowded).documentsPerSecond)
  })

  test('do not become smaller than what makes a commit worth it', () => {
    const costly: Machine = (n) => 400 + n * 0.01
    expect(carryOut(new BatchSize(limits), costly).sizes.at(-1)).toBe(limits.start)
  })
})

describe('batches on a starved machine', () => {
  test.each(Object.keys(starved))('%s: do not collapse', (name) => {
    const machine = starved[name] ?? atRest
    const law = fc.property(fc.nat(), (start) => {
      const { documentsPerSecond } = carryOut(new BatchSize(limits), machine, start)
      expect(documentsPerSecond).toBeGreaterThan(carryOut(fixed(limits.start), machine, start).documentsPerSecond / 4)
    })
    fc.assert(law, { seed, numRuns: 100 })
  })

  test('recover afterwards', () => {
    const size = new BatchSize(limits)
    while (size.halve());
    expect(size.current).toBe(limits.min)
    // A commit takes longer than the documents, and no batch is quick.
    const { sizes } = carryOut(size, (n) => 150 + n * 0.01)
    expect(sizes.at(-1)).toBeGreaterThanOrEqual(limits.start)
  })
})

test('bounds hold whatever batches take', () => {
  const law = fc.property(fc.array(fc.double({ min: 0, max: 1e9, noNaN: true })), (times) => {
    const size = new BatchSize(limits)
    for (const ms of times) {
      size.took(size.current, ms)
      expect(size.current).toBeGreaterThanOrEqual(limits.min)
      expect(size.current).toBeLessThanOrEqual(limits.max)
      expect(size.current).toBe(Math.floor(size.current))
    }
  })
  fc.assert(law, { seed })
})

test('a batch that does not fit into memory is halved, as long as it can be', () => {
  const size = new BatchSize(limits)
  const halved: number[] = []
  while (size.halve()) halved.push(size.current)
  expect(halved).toEqual([5_000, 2_500, 1_250, 625, 312, 156, 100])
})
