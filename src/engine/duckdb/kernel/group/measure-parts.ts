import type { MetricValue } from '../../../../query/aggregation/bucket.ts'
import type { MeasurePlan } from '../../../../query/plan/aggregation-plan.ts'
import type { Turn } from '../../../../turn.ts'
import type { MeasureResult } from '../../../engine.ts'
import { countParts } from '../filter/count.ts'
import { noExceptions } from '../filter/exceptions.ts'
import { isListed } from '../filter/filter-values.ts'
import type { NumberedPart } from '../numbered-part.ts'
import type { Accumulator } from './arrays/accumulator.ts'
import { compileParts, type ScannedPart, scan } from './arrays/scan.ts'
import { DistinctTotal } from './figures/distinct-total.ts'
import { gatherFigures, isFigure } from './figures/level-metrics.ts'

/** Default number of distinct values up to which they are counted exactly. */
const EXACT_DISTINCT = 100_000

/** Returns the number of selected rows and the metrics over all of them. */
export async function measureParts(
  plan: MeasurePlan,
  parts: readonly NumberedPart[],
  turn: Turn,
): Promise<MeasureResult> {
  const scanned = compileParts(plan.predicate, parts)
  const figures = plan.metrics.filter(isFigure)
  const gathered = gatherFigures(figures, parts)
  const accumulators: Accumulator[] = [...gathered.accumulators]
  const values = plan.metrics.map((metric): (() => MetricValue) => {
    if (isFigure(metric)) {
      const value = gathered.values[figures.indexOf(metric)]
      return () => value?.(0) ?? null
    }
    const distinct = new DistinctTotal(metric.field, parts, plan.exactDistinct ?? EXACT_DISTINCT)
    accumulators.push(distinct)
    return () => distinct.count()
  })
  if (accumulators.length === 0) return { total: await countParts(plan.predicate, parts, turn), values: [] }
  let current: ScannedPart | undefined
  const sink = {
    begin: (part: number) => {
      current = scanned[part]
      for (const accumulator of accumulators) accumulator.begin(part)
    },
    get takesAll() {
      return current?.filter.exceptions !== undefined && accumulators.every(knowsAll)
    },
    addKnown: () => {
      const excepted = current ? [...missingRows(current)] : []
      for (const accumulator of accumulators) if (knowsAll(accumulator)) accumulator.addAllExcept(excepted)
      return true
    },
    add: (rows: Uint32Array | undefined, from: number, _: number, count: number) => {
      for (const accumulator of accumulators) accumulator.add(rows, from, 0, count, 1)
    },
    end: () => {
      for (const accumulator of accumulators) accumulator.end()
    },
  }
  const total = await scan(scanned, sink, turn)
  return { total, values: values.map((value) => value()) }
}

const knowsAll = (accumulator: Accumulator): accumulator is DistinctTotal =>
  accumulator instanceof DistinctTotal && accumulator.knowsAll

/** Yields the rows that are dead or do not match, each once. */
function* missingRows({ part, filter }: ScannedPart): Iterable<number> {
  const { rows } = filter.exceptions ?? noExceptions
  yield* rows
  for (const row of part.live.deadRows()) if (!isListed(rows, row)) yield row
}
