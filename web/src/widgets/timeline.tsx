import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Aggregated } from '../api/answers.ts'
import { useQuery } from '../api/use-query.ts'
import { BarChart } from '../charts/bar-chart.tsx'
import { rangeOf, setRange, withoutRange } from '../filters/chip.ts'
import type { Bounds } from '../filters/triplet.ts'
import { formatMoment, formatSpan, formatTick, nextStep, timeStep } from '../format/dates.ts'
import { formatShort } from '../format/numbers.ts'
import { beat } from '../live/live.ts'
import { CurlButton } from '../parts/copy-button.tsx'
import { Icon } from '../parts/icon.tsx'
import { FaultMessage, Shimmer } from '../parts/messages.tsx'
import { Popover } from '../parts/popover.tsx'
import { useExplored } from '../state/explored.ts'
import { change, setChips, state } from '../state/store.ts'
import { aggregatePath, bucketValue, metricPart } from '../state/widget-query.ts'
import { SpanInputs } from './span-inputs.tsx'
import { stepsOf, zoomSpan } from './time-steps.ts'

const BARS = 110
const PLAY_MS = 900

/** Documents over time. Without bars if all of them have the same time. */
export const Timeline = ({ time }: { readonly time: Bounds }) =>
  time.from === time.to ? (
    <section class="timeline" aria-label="Timeline">
      <h2>{formatMoment(time.from)}</h2>
      <p class="soft">All documents have this time · UTC</p>
    </section>
  ) : (
    <TimeBars time={time} />
  )

/** A brush filters, the wheel and the buttons zoom, play moves the selection. */
function TimeBars({ time }: { readonly time: Bounds }) {
  const { collection, paths } = useExplored()
  const { chips, metric, span } = state.value
  const selection = rangeOf(chips, paths.time)
  const wide = useMemo(() => ({ from: time.from, to: Math.max(time.to + 1, time.from + 1000) }), [time])
  const shown = span ?? wide
  const step = timeStep(shown.to - shown.from, BARS)
  // restrict the request to the visible span, unless that is everything
  const part = span === undefined ? [] : [['f', `${paths.time}:range:[${span.from}<${span.to}]`] as const]
  const request = aggregatePath(
    collection,
    `datehistogram:interval-${step.text}${metricPart(metric)}`,
    withoutRange(chips, paths.time),
    part,
  )
  const { data, fault, loading, retry } = useQuery<Aggregated>(request, beat.value)
  const bars = useMemo(
    () =>
      (data?.elements ?? []).map((bucket) => ({
        from: Number(bucket.key),
        to: nextStep(Number(bucket.key), step),
        value: bucketValue(bucket, metric) ?? 0,
      })),
    // `data` belongs to the step it was requested with
    [data, metric],
  )
  const domain = useMemo(() => (span === undefined ? stepsOf(wide, bars) : span), [span, wide, bars])
  const select = (next: Bounds | undefined): void => setChips(setRange(chips, paths.time, next))
  const [playing, setPlaying] = usePlayer(selection, wide, paths.time)
  const wheel = useWheel(shown, wide)
  const zoom = (next: Bounds | undefined): void => change({ span: next }, 'replace')

  return (
    <section class="timeline" aria-label="Timeline" data-loading={loading}>
      <header>
        <h2>{selection === undefined ? formatSpan(shown.from, shown.to) : formatSpan(selection.from, selection.to)}</h2>
        <span class="soft">{selection === undefined ? 'drag to select · UTC' : 'selected · UTC'}</span>
        <div class="tools">
          <button
            type="button"
            class="icon-button"
            aria-pressed={playing}
            title={playing ? 'Pause' : 'Play: move the selection through time'}
            aria-label={playing ? 'Pause' : 'Play'}
            onClick={() => setPlaying(!playing)}
          >
            <Icon name={playing ? 'pause' : 'play'} size={16} />
          </button>
          <button
            type="button"
            class="icon-button"
            title="Zoom in"
            aria-label="Zoom in on time"
            onClick={() => zoom(selection ?? zoomSpan(shown, 0.5, (shown.from + shown.to) / 2, wide))}
          >
            <Icon name="plus" size={16} />
          </button>
          <button
            type="button"
            class="icon-button"
            title="Zoom out"
            aria-label="Zoom out of time"
            disabled={span === undefined}
            onClick={() => zoom(zoomSpan(shown, 2, (shown.from + shown.to) / 2, wide))}
          >
            <Icon name="minus" size={16} />
          </button>
          <Popover
            label="Enter a period"
            button={<Icon name="clock" size={16} />}
            buttonClass="icon-button"
            align="end"
          >
            {(close) => (
              <SpanInputs
                selection={selection ?? wide}
                onSelect={(next) => {
                  select(next)
                  close()
                }}
              />
            )}
          </Popover>
          <CurlButton path={request} />
          <button
            type="button"
            class="button small"
            disabled={selection === undefined}
            onClick={() => select(undefined)}
          >
            Clear
          </button>
        </div>
      </header>
      {fault !== undefined ? (
        <FaultMessage fault={fault} retry={retry} />
      ) : data === undefined ? (
        <Shimmer lines={2} />
      ) : (
        <BarChart
          time
          bars={bars}
          domain={domain}
          selection={selection}
          height={92}
          label="Time"
          onSelect={(next) => {
            setPlaying(false)
            select(next)
          }}
          formatX={formatTick}
          formatY={formatShort}
          formatRange={({ from, to }) => formatSpan(from, to)}
          onWheel={wheel}
        />
      )}
    </section>
  )
}

/** Moves the selection repeatedly by its own length, and restarts at the beginning when it reaches the end. */
function usePlayer(selection: Bounds | undefined, time: Bounds, field: string): [boolean, (playing: boolean) => void] {
  const [playing, setPlaying] = useState(false)
  useEffect(() => {
    if (!playing) return
    const timer = setTimeout(
      () => {
        const length = selection === undefined ? timeStep(time.to - time.from, 20).ms : selection.to - selection.from
        const from = selection === undefined || selection.to >= time.to ? time.from : selection.to
        setChips(setRange(state.value.chips, field, { from, to: from + length }), 'replace')
      },
      selection === undefined ? 0 : PLAY_MS,
    )
    return () => clearTimeout(timer)
  }, [playing, selection, time, field])
  return [playing, setPlaying]
}

/** Zooms with the wheel: the display at once, the request after a delay. */
function useWheel(shown: Bounds, time: Bounds): (event: WheelEvent, at: number) => void {
  const wanted = useRef<Bounds | undefined>(undefined)
  const timer = useRef(0)
  return (event, at) => {
    event.preventDefault()
    const next = zoomSpan(wanted.current ?? shown, event.deltaY > 0 ? 1.25 : 0.8, at, time)
    wanted.current = next ?? time
    clearTimeout(timer.current)
    timer.current = window.setTimeout(() => {
      wanted.current = undefined
      change({ span: next }, 'replace')
    }, 180)
  }
}
