import { geometricMean } from '../measure/timing.ts'
import type { Group, TimeFilter } from '../questions/question.ts'
import { type BenchResult, type LoadFigures, OWN, type QuestionRow, type QuestionTable, stateLabel } from './result.ts'

/** How many times as long a peer takes as Periplus; undefined if one of both does not answer. */
export function ratioOf({ timings }: QuestionRow, peer: string): number | undefined {
  const own = timings[OWN]
  const other = timings[peer]
  return own === undefined || other === undefined ? undefined : other.median / own.median
}

/** Names of the systems that Periplus is compared with, in the order of their first appearance. */
export function peersOf(tables: readonly QuestionTable[]): readonly string[] {
  const names = tables.flatMap(({ rows }) => rows.flatMap(({ timings }) => Object.keys(timings)))
  return [...new Set(names)].filter((name) => name !== OWN)
}

/** Geometric mean of the ratios; undefined without any. */
export function meanRatio(rows: readonly QuestionRow[], peer: string): number | undefined {
  const ratios = rows.flatMap((row) => ratioOf(row, peer) ?? [])
  return ratios.length === 0 ? undefined : geometricMean(ratios)
}

/** Groups of the rows, in the order of their first appearance. */
export const groupsOf = (rows: readonly QuestionRow[]): readonly Group[] => [...new Set(rows.map(({ group }) => group))]

/** Rate of a load until the documents are in their final order. */
export const inOrderPerSecond = ({ documents, documentsPerSecond, secondsUntilInOrder }: LoadFigures): number =>
  documents / (documents / documentsPerSecond + secondsUntilInOrder)

export interface WorstRow {
  readonly ratio: number
  readonly question: string
  readonly time: TimeFilter
}

/** The row in which Periplus does worst against a peer. */
export function worstRow(tables: readonly QuestionTable[], peer: string): WorstRow | undefined {
  const rows = tables.flatMap(({ time, rows }) =>
    rows.flatMap((row) => {
      const ratio = ratioOf(row, peer)
      return ratio === undefined ? [] : [{ ratio, question: row.question, time }]
    }),
  )
  return rows.sort((a, b) => a.ratio - b.ratio)[0]
}

export interface StateSummary {
  readonly label: string
  readonly tables: readonly QuestionTable[]
  /** One for each peer that answered something, over all time filters. */
  readonly against: readonly { readonly peer: string; readonly mean: number; readonly worst: WorstRow }[]
}

/** One summary for each state, in the order of the tables. */
export function summaryOf({ tables }: BenchResult): readonly StateSummary[] {
  const byLabel = Map.groupBy(tables, stateLabel)
  return [...byLabel].map(([label, some]) => ({
    label,
    tables: some,
    against: peersOf(tables).flatMap((peer) => {
      const mean = meanRatio(
        some.flatMap(({ rows }) => rows),
        peer,
      )
      const worst = worstRow(some, peer)
      return mean === undefined || worst === undefined ? [] : [{ peer, mean, worst }]
    }),
  }))
}
