import { useMemo } from 'preact/hooks'
import type { Aggregated } from '../api/answers.ts'
import { useQuery } from '../api/use-query.ts'
import { BarChart } from '../charts/bar-chart.tsx'
import { rangeOf, setRange, withoutRange } from '../filters/chip.ts'
import type { Bounds } from '../filters/triplet.ts'
import { formatFigure, formatShort, niceStep } from '../format/numbers.ts'
import { beat } from '../live/live.ts'
import { CurlButton } from '../parts/copy-button.tsx'
import { FaultMessage, Shimmer } from '../parts/messages.tsx'
import { Section } from '../parts/section.tsx'
import { fieldName, useExplored } from '../state/explored.ts'
import { setChips, state } from '../state/store.ts'
import { aggregatePath, bucketValue, metricPart } from '../state/widget-query.ts'

const BARS = 40

/** Histogram of a number, with a brush to filter it. */
export function Histogram({
  path,
  bounds,
  isLoading,
  onRemove,
}: {
  readonly path: string
  readonly bounds: Bounds | undefined
  /** True while the bounds are not known. */
  readonly isLoading: boolean
  readonly onRemove: () => void
}) {
  const explored = useExplored()
  const { chips, metric } = state.value
  const step = bounds === undefined ? 1 : niceStep(bounds.to - bounds.from, BARS)
  const request =
    bounds === undefined
      ? undefined
      : aggregatePath(
          explored.collection,
          `histogram:${path}:interval-${plain(step)}${metricPart(metric)}`,
          withoutRange(chips, path),
        )
  const title = fieldName(explored, path)
  return (
    <Section title={title} tools={<CurlButton path={request} />} onRemove={onRemove}>
      {() =>
        bounds === undefined ? (
          isLoading ? (
            <Shimmer lines={2} />
          ) : (
            <p class="soft">No values.</p>
          )
        ) : (
          <HistogramBody path={path} title={title} request={request} bounds={bounds} step={step} />
        )
      }
    </Section>
  )
}

/** Prints intervals without exponent. */
const plain = (step: number): string => (step < 1e-6 ? step.toFixed(12).replace(/0+$/, '') : String(step))

interface BodyProps {
  readonly path: string
  readonly title: string
  readonly request: string | undefined
  readonly bounds: Bounds
  readonly step: number
}

function HistogramBody({ path, title, request, bounds, step }: BodyProps) {
  const { data, fault, loading, retry } = useQuery<Aggregated>(request, beat.value)
  const { chips, metric } = state.value
  const bars = useMemo(
    () =>
      (data?.elements ?? []).map((bucket) => {
        const from = Number(bucket.key)
        return { from, to: Number((from + step).toPrecision(12)), value: bucketValue(bucket, metric) ?? 0 }
      }),
    [data, step, metric],
  )
  const domain = useMemo(
    () => ({ from: Math.floor(bounds.from / step) * step, to: (Math.floor(bounds.to / step) + 1) * step }),
    [bounds, step],
  )
  if (fault !== undefined) return <FaultMessage fault={fault} retry={retry} />
  if (data === undefined) return <Shimmer lines={2} />
  const selection = rangeOf(chips, path)
  const select = (next: Bounds | undefined): void => setChips(setRange(chips, path, next))
  return (
    <div class="histogram" data-loading={loading}>
      <BarChart
        bars={bars}
        domain={domain}
        selection={selection}
        height={84}
        label={title}
        onSelect={select}
        formatX={(x) => formatShort(Number(x.toPrecision(6)))}
        formatY={formatShort}
        formatRange={({ from, to }) => `${formatFigure(from)} – ${formatFigure(to)}`}
      />
      <RangeInputs title={title} selection={selection} bounds={bounds} onSelect={select} />
    </div>
  )
}

interface RangeInputsProps {
  readonly title: string
  readonly selection: Bounds | undefined
  readonly bounds: Bounds
  readonly onSelect: (bounds: Bounds | undefined) => void
}

/** Inputs for the ends of the range. */
function RangeInputs({ title, selection, bounds, onSelect }: RangeInputsProps) {
  const commit = (end: 'from' | 'to', text: string): void => {
    const value = Number(text)
    const next = { ...(selection ?? bounds), [end]: value }
    if (text.trim() !== '' && Number.isFinite(value) && next.from < next.to) onSelect(next)
  }
  return (
    <div class="range-inputs">
      <input
        type="number"
        step="any"
        aria-label={`${title} from`}
        placeholder={formatShort(bounds.from)}
        value={selection?.from ?? ''}
        onChange={(event) => commit('from', event.currentTarget.value)}
      />
      <span class="soft">to</span>
      <input
        type="number"
        step="any"
        aria-label={`${title} to`}
        placeholder={formatShort(bounds.to)}
        value={selection?.to ?? ''}
        onChange={(event) => commit('to', event.currentTarget.value)}
      />
      {selection !== undefined && (
        <button type="button" class="button small" onClick={() => onSelect(undefined)}>
          Clear
        </button>
      )}
    </div>
  )
}
