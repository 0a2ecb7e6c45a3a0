import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { WireObject } from '../../cluster-client/cluster-client.ts'
import { printWire } from '../../cluster-client/wire-json.ts'
import type { Mapping } from '../../model/mapping.ts'
import type { BucketKey, MetricValue } from '../../query/aggregation/bucket.ts'
import type { AggregationLevel, AggregationPlan, Grouping } from '../../query/plan/aggregation-plan.ts'
import { everything, type Predicate } from '../../query/plan/predicate.ts'
import type { Field } from '../../query/schema/field.ts'
import { schemaOf } from '../../query/schema/schema.ts'
import { openDuckdbEngine } from '../duckdb/open-engine.ts'
import type { AggregationResult, BucketList, Engine } from '../engine.ts'
import { aggregate } from './aggregate/aggregator.ts'
import { clusterUnderTest } from './cluster-under-test.fixture.ts'
import type { ClusterContext } from './request/cluster-context.ts'
import { dropTestIndices, makeTestIndex } from './test-index.fixture.ts'

interface PlanParts {
  readonly levels: readonly AggregationLevel[]
  readonly predicate?: Predicate
  readonly buckets?: number
  readonly bucketHits?: number
}

export type MakePlan = (field: (path: string) => Field) => PlanParts

export const level = (grouping: Grouping, more: Partial<AggregationLevel> = {}): AggregationLevel => ({
  grouping,
  order: { by: 'count', descending: true },
  metrics: [],
  tops: [],
  ...more,
})

/** The same documents in indices of the cluster and of the embedded engine. */
export class BothEngines {
  readonly context: ClusterContext = clusterUnderTest()
  readonly #directory = mkdtempSync(join(tmpdir(), 'periplus-both-'))
  readonly #names: string[] = []
  #engine: Engine | undefined

  async #embedded(): Promise<Engine> {
    this.#engine ??= await openDuckdbEngine({ directory: this.#directory, memoryMiB: 256, threads: 2, concurrency: 4 })
    return this.#engine
  }

  /** Returns the name, which is the same in both. */
  async makeIndex(subject: string, mapping: Mapping, documents: readonly WireObject[], shards = 1): Promise<string> {
    const name = await makeTestIndex(this.context, subject, mapping.properties, documents, shards)
    this.#names.push(name)
    const engine = await this.#embedded()
    await engine.createIndex(name, mapping)
    const results = await engine.write(
      name,
      documents.map((document, i) => {
        const text = printWire(document)
        return { kind: 'index', id: String(i), source: JSON.parse(text), text }
      }),
    )
    expect(results.every(({ ok }) => ok)).toBe(true)
    return name
  }

  async planOf(indices: readonly string[], make: MakePlan): Promise<AggregationPlan> {
    const infos = (await (await this.#embedded()).indices('*')).filter(({ name }) => indices.includes(name))
    const schema = schemaOf(infos)
    const {
      levels,
      predicate = everything,
      buckets = 65_535,
      bucketHits = 100_000,
    } = make((path) => {
      const field = schema.lookup(path)
      if (!field) throw new Error(path)
      return field
    })
    return { indices: indices.toSorted(), predicate, levels, limits: { buckets, bucketHits } }
  }

  async ask(indices: readonly string[], make: MakePlan): Promise<AggregationResult> {
    return aggregate(this.context, await this.planOf(indices, make))
  }

  /** Returns the result of the cluster, after checking that it equals the one of the embedded engine. */
  async compare(indices: readonly string[], make: MakePlan): Promise<AggregationResult> {
    const plan = await this.planOf(indices, make)
    const answer = await aggregate(this.context, plan)
    const expected = await (await this.#embedded()).aggregate(plan)
    expect(answer.total).toBe(expected.total)
    expect(comparable(answer, plan.levels)).toEqual(comparable(expected, plan.levels))
    return answer
  }

  async close(): Promise<void> {
    await dropTestIndices(this.context, this.#names)
    await this.#engine?.close()
    rmSync(this.#directory, { recursive: true })
  }
}

/** Ignores the last digits of sums and the coordinate rounding of clusters. `others` is compared for terms only. */
function comparable(list: BucketList, [own, ...inner]: readonly AggregationLevel[]): unknown {
  const isTerm = own?.grouping.kind === 'term'
  return {
    ...(isTerm ? { others: list.others } : {}),
    buckets: list.buckets.map(({ key, count, metrics, tops, children }) => ({
      key,
      count,
      metrics: metrics.map(rounded),
      tops: tops.map((top) => top.map(({ index, source }) => ({ index, source }))),
      ...(children ? { children: comparable(children, inner) } : {}),
    })),
  }
}

function rounded(value: MetricValue): unknown {
  if (value === null) return null
  if (typeof value === 'number') return Number(value.toPrecision(12))
  return JSON.parse(JSON.stringify(value), (_, v: unknown) => (typeof v === 'number' ? Math.round(v * 1e6) / 1e6 : v))
}

const print = (key: BucketKey): string => (typeof key === 'object' ? `${key.x}/${key.y}` : String(key))

/** Prints keys and counts, with nested buckets in brackets. */
export function show({ buckets, others }: BucketList): string {
  const shown = buckets.map((b) => `${print(b.key)} ${b.count}${b.children ? ` [${show(b.children)}]` : ''}`)
  return [...shown, ...(others > 0 ? [`others ${others}`] : [])].join(', ')
}
