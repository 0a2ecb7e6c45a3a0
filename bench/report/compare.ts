import { geometricMean, type Timing } from '../measure/timing.ts'
import type { TimeFilter } from '../questions/question.ts'
import { type BenchResult, OWN, stateLabel } from './result.ts'
import { readResult } from './result-file.ts'
import { ms, table, times } from './table.ts'

/** Times of one system for the same question in two results. */
export interface Pair {
  readonly label: string
  readonly time: TimeFilter
  readonly question: string
  readonly system: string
  readonly before: Timing
  readonly after: Timing
  /** New median divided by the old one: below 1 it became faster. */
  readonly ratio: number
}

/** Everything that was measured in both results. */
export function pairsOf(before: BenchResult, after: BenchResult): readonly Pair[] {
  const earlier = new Map<string, Timing>()
  for (const { key, timing } of timingsOf(before)) earlier.set(key, timing)
  return timingsOf(after).flatMap(({ key, timing, place }) => {
    const old = earlier.get(key)
    return old === undefined ? [] : [{ ...place, before: old, after: timing, ratio: timing.median / old.median }]
  })
}

function timingsOf({ tables }: BenchResult) {
  return tables.flatMap((one) =>
    one.rows.flatMap(({ question, timings }) =>
      Object.entries(timings).map(([system, timing]) => {
        const place = { label: stateLabel(one), time: one.time, question, system }
        return { key: JSON.stringify(place), place, timing }
      }),
    ),
  )
}

/** Below this number of repetitions nothing is known about the spread. */
const FEW = 3
const ASSUMED_SPREAD = 0.25

/** True if the spreads of both do not overlap. */
export function hasChanged({ before, after }: Pair): boolean {
  const [old, now] = [spreadOf(before), spreadOf(after)]
  return now.low > old.high || now.high < old.low
}

const spreadOf = ({ median, p25, p75, repetitions }: Timing) =>
  repetitions < FEW
    ? { low: median * (1 - ASSUMED_SPREAD), high: median * (1 + ASSUMED_SPREAD) }
    : { low: p25, high: p75 }

/** Says what became faster or slower between two results. */
export function renderComparison(before: BenchResult, after: BenchResult): string {
  const pairs = pairsOf(before, after)
  const states = [...Map.groupBy(pairs, ({ label }) => label)].map(([label, some]) => stateText(label, some))
  return [
    `from ${before.header.date} to ${after.header.date}`,
    ...otherConditions(before, after),
    ...(pairs.length === 0 ? ['nothing was measured in both'] : states),
  ].join('\n\n')
}

/** Compares with an earlier result in a file, or in the folder of a run. */
export const compareWithFile = async (path: string, after: BenchResult): Promise<string> =>
  renderComparison(await readResult(path), after)

function stateText(label: string, pairs: readonly Pair[]): string {
  const own = pairs.filter(({ system }) => system === OWN)
  const changed = own.filter(hasChanged).sort((a, b) => a.ratio - b.ratio)
  const faster = changed.filter(({ ratio }) => ratio < 1).length
  const others = [...Map.groupBy(pairs, ({ system }) => system)].filter(([system]) => system !== OWN)
  const head = ['question', 'time filter', 'before (ms)', 'after', 'ratio']
  const rows = changed.map(({ question, time, before, after, ratio }) => [
    question,
    time,
    ms(before.median),
    ms(after.median),
    times(ratio),
  ])
  return [
    `${label}: ${faster} of ${own.length} faster, ${changed.length - faster} slower, mean ratio ${meanOf(own)}`,
    // A peer that changed as well points to the machine.
    ...others.map(([system, some]) => `  meanwhile ${system}: mean ratio ${meanOf(some)}`),
    ...(changed.length === 0 ? [] : [table([head, ...rows])]),
  ].join('\n')
}

const meanOf = (pairs: readonly Pair[]): string =>
  pairs.length === 0 ? '-' : times(geometricMean(pairs.map(({ ratio }) => ratio)))

/** Differences that make a comparison doubtful. */
function otherConditions({ header: old }: BenchResult, { header: now }: BenchResult): readonly string[] {
  const facts = (header: typeof old): Readonly<Record<string, string | number>> => ({
    documents: header.documents,
    seed: header.seed,
    processor: header.machine.processor,
    cores: header.machine.cores,
    ...header.versions,
  })
  const [before, after] = [facts(old), facts(now)]
  const texts = Object.keys({ ...before, ...after })
    .filter((name) => before[name] !== after[name])
    .map((name) => `${name}: ${before[name] ?? 'none'} before, ${after[name] ?? 'none'} after`)
  return texts.length === 0 ? [] : [`measured under other conditions: ${texts.join('; ')}`]
}
