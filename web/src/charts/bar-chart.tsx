import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import type { BarChartProps } from './bar.ts'
import 'uplot/dist/uPlot.min.css'
import { styleValue, theme } from '../state/theme.ts'
import { BrushLayer } from './brush-layer.tsx'

const AXIS = 22

/** Bars along an axis, drawn by uPlot, with a brush on top. */
export function BarChart(props: BarChartProps) {
  const { bars, domain, height, time = false } = props
  const host = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | undefined>(undefined)
  const shown = useRef(props)
  shown.current = props
  const look = theme.value

  // a new theme needs a new plot
  useEffect(() => {
    const element = host.current
    if (element === null) return
    const made = new uPlot(plotOptions(element.clientWidth, height, time, shown), [[], []], element)
    plot.current = made
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      made.destroy()
    }
  }, [look, height, time])

  // set the bars again on a new plot
  useEffect(() => {
    plot.current?.batch(() => {
      plot.current?.setData([bars.map(({ from }) => from), bars.map(({ value }) => value)], false)
      plot.current?.setScale('x', { min: domain.from, max: domain.to })
      const [least, most] = [
        Math.min(0, ...bars.map(({ value }) => value)),
        Math.max(0, ...bars.map(({ value }) => value)),
      ]
      plot.current?.setScale('y', { min: least, max: most > least ? most : least + 1 })
    })
  }, [bars, domain.from, domain.to, look, height])

  return (
    <div class="bar-chart" data-height={height}>
      <div class="plot" ref={host} aria-hidden="true" />
      <BrushLayer {...props} bottom={AXIS} />
    </div>
  )
}

function plotOptions(
  width: number,
  height: number,
  time: boolean,
  shown: { readonly current: BarChartProps },
): uPlot.Options {
  return {
    width,
    height,
    ms: 1,
    tzDate: (ts) => uPlot.tzDate(new Date(ts), 'Etc/UTC'),
    padding: [4, 0, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time, auto: false }, y: { auto: false } },
    axes: [
      {
        size: AXIS,
        gap: 3,
        stroke: styleValue('--ink-soft'),
        font: '11px system-ui, sans-serif',
        grid: { show: false },
        ticks: { show: false },
        space: time ? 84 : 46,
        // hide labels that would be cut off at the edge, and those that repeat the one before
        values: (plot, splits, _axis, _space, step) => {
          const labels = splits.map((x) => shown.current.formatX(x, step))
          return labels.map((label, i) =>
            label !== labels[i - 1] && isInside(plot, splits[i] ?? 0, time ? 34 : 12) ? label : '',
          )
        },
      },
      { show: false },
    ],
    series: [{}, { fill: styleValue('--bar'), width: 0, points: { show: false }, paths: drawBars(shown) }],
  }
}

function isInside(plot: uPlot, x: number, margin: number): boolean {
  const at = plot.valToPos(x, 'x')
  return at >= margin && at <= plot.width - margin
}

/** Draws each bar from its start to its end, because months differ in length. */
function drawBars(shown: { readonly current: BarChartProps }): uPlot.Series.PathBuilder {
  return (plot) => {
    const path = new Path2D()
    const floor = plot.valToPos(0, 'y', true)
    const gap = devicePixelRatio
    for (const { from, to, value } of shown.current.bars) {
      if (value === 0) continue
      const left = plot.valToPos(from, 'x', true)
      const right = plot.valToPos(to, 'x', true)
      const top = plot.valToPos(value, 'y', true)
      const width = Math.max(gap, right - left - (right - left > 4 * gap ? gap : 0))
      // minimum height, so that small values stay visible
      const tall = Math.max(1.5 * gap, Math.abs(floor - top))
      path.rect(left, value > 0 ? floor - tall : floor, width, tall)
    }
    return { fill: path, stroke: null, clip: null, flags: 0 }
  }
}
