import type { MetricPlan } from '../../../query/plan/aggregation-plan.ts'
import type { IndexTable } from '../table/index-table.ts'

/**
 * Size of the sample in which many distinct values are counted. The sample contains the values whose hash has `bits`
 * zero bits: a share of 1 / 2^bits, independent of how often a value occurs. Counting 5 million values exactly takes
 * ten times as long as counting a sixteenth. 0 bits: all values.
 */
export type SampleBits = number

const FIRST_SAMPLE: SampleBits = 4

/**
 * A sample of this many values estimates the total within 2 % at four standard deviations: 4 / sqrt(50,000) = 1.8 %.
 */
const ENOUGH_SAMPLED = 50_000

/** If a first estimate exceeds the bound by this factor, so does the count: eight standard deviations at 100,000. */
const SURELY_ABOVE = 1.1

/**
 * Lowest hash bit used. It lies between the bits DuckDB's hash tables use for slots and those they use for partitions.
 */
const FIRST_BIT = 30n

/** Returns the condition that a value is in the sample. */
export function isSampled(value: string, bits: SampleBits): string {
  return bits === 0 ? 'TRUE' : `hash(${value}) & ${((1n << BigInt(bits)) - 1n) << FIRST_BIT} = 0`
}

export const estimateOf = (counted: number, bits: SampleBits): number => counted * 2 ** bits

/** Returns all values if so few can exist that sampling saves nothing. */
export function firstSample(metric: MetricPlan, tables: readonly IndexTable[], exactUpTo: number): SampleBits {
  const most = tables.reduce((n, table) => n + mostValues(metric, table), 0)
  return most <= 2 * exactUpTo ? 0 : FIRST_SAMPLE
}

function mostValues({ field }: MetricPlan, table: IndexTable): number {
  const layout = table.field(field)
  if (!layout) return 0
  if (field.type === 'BOOLEAN') return 2
  if (field.type === 'BYTE') return 2 ** 8
  if (field.type === 'SHORT') return 2 ** 16
  return layout.several ? Number.POSITIVE_INFINITY : table.definition.documents
}

/**
 * Returns the sample to count next, after `counted` values were found in one of `bits`. Undefined if the estimate is
 * good enough.
 */
export function nextSample(counted: number, bits: SampleBits, exactUpTo: number): SampleBits | undefined {
  if (bits === 0) return undefined
  const estimate = estimateOf(counted, bits)
  if (estimate <= exactUpTo * SURELY_ABOVE) return 0
  const largest = Math.max(0, Math.floor(Math.log2(estimate / ENOUGH_SAMPLED)))
  return largest < bits ? largest : undefined
}
