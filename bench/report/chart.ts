import type { TimeFilter } from '../questions/question.ts'
import { short } from './figures.ts'
import { meanRatio, peersOf, type StateSummary, summaryOf } from './ratios.ts'
import { type BenchResult, filterLabel, OWN, type QuestionTable, stateLabel, TIME_FILTERS } from './result.ts'
import { axis, element, FAINT, INK, image, label, line, logScale, mark, textWidth } from './svg.ts'
import { times } from './table.ts'

const WIDTH = 880
const MARGIN = 24
const TOP = 96

/** Shades of one colour, darker with a more demanding time filter. */
const SHADES: Readonly<Record<TimeFilter, string>> = { none: '#9ecae1', constant: '#4292c6', changing: '#08519c' }
/** Bars of states in which Periplus is slower. */
const SLOWER: Readonly<Record<TimeFilter, string>> = { none: '#fdae6b', constant: '#e6550d', changing: '#a63603' }

const BAR = 13
const BETWEEN_STATES = 12

interface Bar {
  readonly time: TimeFilter
  readonly ratio: number
}

/** Mean ratio to a peer in every state: bars that start at 1, to the right where Periplus is faster. */
export function ratioChart(result: BenchResult, peer = 'OpenSearch'): string {
  const states = summaryOf(result)
    .map((summary) => ({ label: summary.label, bars: barsOf(summary, peer) }))
    .filter(({ bars }) => bars.length > 0)
  const ratios = states.flatMap(({ bars }) => bars.map(({ ratio }) => ratio))
  const left = MARGIN + Math.max(60, ...states.map((state) => textWidth(state.label))) + 12
  // The value of a bar is written beside it.
  const scale = logScale(Math.min(0.9, ...ratios) * 0.9, Math.max(2, ...ratios) * 1.1, left, WIDTH - MARGIN - 48)
  const parts: string[] = []
  let y = TOP + BETWEEN_STATES / 2
  for (const { label: name, bars } of states) {
    parts.push(label(left - 12, y + (bars.length * BAR) / 2, name, { anchor: 'end' }))
    for (const { time, ratio } of bars) {
      const [from, to] = ratio < 1 ? [scale.at(ratio), scale.at(1)] : [scale.at(1), scale.at(ratio)]
      const fill = (ratio < 1 ? SLOWER : SHADES)[time]
      parts.push(element('rect', { x: from, y, width: Math.max(1, to - from), height: BAR - 2, fill }))
      parts.push(label(scale.at(Math.max(1, ratio)) + 5, y + (BAR - 2) / 2, times(ratio), { size: 10 }))
      y += BAR
    }
    y += BETWEEN_STATES
  }
  const bottom = y - BETWEEN_STATES / 2
  const title = `How many times as long ${peer} takes as ${OWN}`
  return image(WIDTH, bottom + MARGIN, title, [
    label(MARGIN, 26, title, { size: 16, weight: 'bold' }),
    label(
      MARGIN,
      48,
      'Geometric mean over the questions that both answer; logarithmic scale; orange where Periplus is slower',
      {
        colour: FAINT,
      },
    ),
    ...legend(
      TIME_FILTERS.filter((time) => states.some(({ bars }) => bars.some((bar) => bar.time === time))).map((time) => ({
        name: filterLabel(time),
        symbol: (x, at) => element('rect', { x: x - 5, y: at - 5, width: 10, height: 10, fill: SHADES[time] }),
      })),
      68,
    ),
    axis(scale, TOP, bottom, short),
    ...parts,
    line(scale.at(1), TOP, scale.at(1), bottom, INK, 1.5),
  ])
}

const barsOf = ({ tables }: StateSummary, peer: string): readonly Bar[] =>
  tables.flatMap(({ time, rows }) => {
    const ratio = meanRatio(rows, peer)
    return ratio === undefined ? [] : [{ time, ratio }]
  })

const ROW = 20
const CONNECTION = '#bbbbbb'

/** Medians of all systems for every question of a table. */
export function rowChart(table: QuestionTable): string {
  const systems = [OWN, ...peersOf([table])]
  const rows = table.rows.map(({ question, timings }) => ({
    question,
    medians: systems.flatMap((system, kind) => {
      const median = timings[system]?.median
      return median === undefined ? [] : [{ kind, median }]
    }),
  }))
  const medians = rows.flatMap((row) => row.medians.map(({ median }) => median))
  const left = MARGIN + Math.max(60, ...rows.map(({ question }) => textWidth(question))) + 12
  const scale = logScale(Math.min(1, ...medians) * 0.8, Math.max(10, ...medians) * 1.25, left, WIDTH - MARGIN)
  const bottom = TOP + rows.length * ROW + 4
  const title = `Response times: ${stateLabel(table)}, ${filterLabel(table.time)}`
  return image(WIDTH, bottom + MARGIN, title, [
    label(MARGIN, 26, title, { size: 16, weight: 'bold' }),
    label(MARGIN, 48, 'Median in milliseconds; logarithmic scale; further left is faster', { colour: FAINT }),
    ...legend(
      systems.map((name, kind) => ({ name, symbol: (x, y) => mark(kind, x, y) })),
      68,
    ),
    axis(scale, TOP, bottom, (value) => `${value}`),
    ...rows.flatMap(({ question, medians }, i) => {
      const y = TOP + 4 + (i + 0.5) * ROW
      const xs = medians.map(({ median }) => scale.at(median))
      return [
        label(left - 12, y, question, { anchor: 'end' }),
        ...(xs.length > 1 ? [line(Math.min(...xs), y, Math.max(...xs), y, CONNECTION, 2)] : []),
        // Periplus is drawn last, above the others.
        ...medians.toReversed().map(({ kind, median }) => mark(kind, scale.at(median), y)),
      ]
    }),
  ])
}

interface LegendItem {
  readonly name: string
  readonly symbol: (x: number, y: number) => string
}

function legend(items: readonly LegendItem[], y: number): readonly string[] {
  let x = MARGIN + 6
  return items.flatMap(({ name, symbol }) => {
    const parts = [symbol(x, y), label(x + 12, y, name)]
    x += 12 + textWidth(name) + 24
    return parts
  })
}
