import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { place } from '../../../../test/properties/oracle/aggregated-documents.ts'
import type { Asked } from '../../../../test/properties/oracle/aggregation-request.ts'
import { differences, roughly } from '../../../../test/properties/oracle/matchers.ts'
import { anyTree } from '../../../../test/properties/oracle/random-aggregations.ts'
import { tryWithin } from '../../../../test/properties/random-index.ts'
import { Problem } from '../../../errors.ts'
import { geohashOf } from '../../../geo/geohash.ts'
import type { Cell } from '../../../geo/grid/cell.ts'
import { tileOf } from '../../../geo/grid/tile.ts'
import type { AggregationPlan } from '../../../query/plan/aggregation-plan.ts'
import type { AggregationResult, BucketList, Engine, StoredDocument } from '../../engine.ts'
import { aggregateScanned } from './scanned-aggregation.ts'
import { openReference, planOf, randomDocuments, supplyOf } from './scanned-plans.fixture.ts'

/** Converts a result to JSON. If it is the expected one, the last digits of metrics are matched loosely. */
function comparable({ total, ...list }: AggregationResult, expected: boolean): unknown {
  return { total, list: comparableList(list, expected) }
}

function comparableList({ buckets, others }: BucketList, expected: boolean): unknown {
  return {
    others,
    buckets: buckets.map(({ key, count, metrics, tops, children }) => ({
      key: typeof key === 'bigint' ? `${key}n` : key,
      count,
      metrics: expected ? roughly(metrics) : metrics,
      tops: tops.map((documents) => documents.map(({ index, source }) => ({ index, source }))),
      ...(children === undefined ? {} : { children: comparableList(children, expected) }),
    })),
  }
}

async function outcome(asked: Promise<AggregationResult>, expected: boolean): Promise<unknown> {
  try {
    return comparable(await asked, expected)
  } catch (error) {
    if (error instanceof Problem) return error.code
    throw error
  }
}

describe('documents grouped in memory', () => {
  const documents: readonly StoredDocument[] = randomDocuments(300)
  let engine: Engine
  let close: () => Promise<void>
  beforeAll(async () => {
    const opened = await openReference(documents)
    engine = opened.engine
    close = opened.close
  })
  afterAll(() => close?.())

  /** Returns the documents that a plan selects, which would otherwise come from the cluster. */
  async function selected(plan: AggregationPlan): Promise<readonly StoredDocument[]> {
    const found: StoredDocument[] = []
    for await (const batch of engine.scan(plan)) found.push(...batch)
    return found
  }

  async function agree(levels: readonly Asked[], cell?: Cell): Promise<void> {
    const plan = planOf(levels, cell)
    if (plan === undefined) return
    const expected = await outcome(engine.aggregate(plan), true)
    const given = await outcome(aggregateScanned(plan, supplyOf(await selected(plan))), false)
    expect(differences(expected, given)).toEqual([])
  }

  it('give the buckets of the embedded engine', async () => {
    await tryWithin(anyTree, (levels) => agree(levels), 300, 6_000)
  })

  it('give its buckets of a tile or a geohash too', async () => {
    const cell: fc.Arbitrary<Cell> = fc
      .tuple(place, fc.integer({ min: 0, max: 8 }), fc.boolean())
      .map(([[lon, lat], level, isTile]) =>
        isTile
          ? { kind: 'tile', z: level, ...tileOf(lon, lat, level) }
          : { kind: 'geohash', hash: geohashOf(lon, lat, (level % 4) + 1) },
      )
    const located = fc.tuple(
      anyTree.filter(([main]) => main?.type.startsWith('geo') === true),
      cell,
    )
    const fits = ([levels, { kind, ...at }]: readonly [readonly Asked[], Cell]): boolean =>
      kind !== 'tile' || !('z' in at) || levels.every((l) => l.type !== 'geotile' || (l.interval?.value ?? 0) >= at.z)
    await tryWithin(located.filter(fits), ([levels, at]) => agree(levels, at), 200, 6_000)
  })
})
