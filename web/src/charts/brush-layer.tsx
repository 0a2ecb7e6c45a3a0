import { useRef, useState } from 'preact/hooks'
import type { Bounds } from '../filters/triplet.ts'
import type { Bar, BarChartProps } from './bar.ts'
import { brushFrom, type Drag, moveDrag, stepBrush } from './brush.ts'

/** Layer above the bars with the selection, its handles and the hovered bar. Supports touch and keyboard. */
export function BrushLayer(props: BarChartProps & { readonly bottom: number }) {
  const { bars, domain, selection, label, bottom, onSelect, formatRange, formatY, onWheel } = props
  const layer = useRef<HTMLDivElement>(null)
  const drag = useRef<Drag | undefined>(undefined)
  const [draft, setDraft] = useState<Bounds>()
  const [hovered, setHovered] = useState<Bar>()

  const valueAt = (event: MouseEvent): number => {
    const box = layer.current?.getBoundingClientRect()
    if (box === undefined || box.width === 0) return domain.from
    const part = Math.max(0, Math.min(1, (event.clientX - box.left) / box.width))
    return domain.from + part * (domain.to - domain.from)
  }
  const reach = ((domain.to - domain.from) * 8) / Math.max(1, layer.current?.clientWidth ?? 1)
  const shown = draft ?? selection

  const start = (event: PointerEvent): void => {
    if (event.button !== 0) return
    layer.current?.setPointerCapture(event.pointerId)
    drag.current = brushFrom(valueAt(event), selection, reach)
  }
  const move = (event: PointerEvent): void => {
    const at = valueAt(event)
    setHovered(bars.find(({ from, to }) => at >= from && at < to))
    if (drag.current !== undefined) setDraft(moveDrag(drag.current, at, domain))
  }
  const end = (event: PointerEvent): void => {
    const begun = drag.current
    drag.current = undefined
    setDraft(undefined)
    if (begun === undefined) return
    const at = valueAt(event)
    if (Math.abs(at - begun.at) > reach / 2) {
      onSelect(snap(moveDrag(begun, at, domain), bars))
      return
    }
    const bar = bars.find(({ from, to }) => at >= from && at < to)
    if (begun.kind === 'new' && bar !== undefined) onSelect({ from: bar.from, to: bar.to })
    else if (begun.kind === 'new' && selection !== undefined) onSelect(undefined)
  }

  return (
    <div
      class="brush"
      ref={layer}
      style={{ bottom: `${bottom}px` }}
      tabIndex={0}
      role="slider"
      aria-label={`${label}: drag or use the arrow keys to select a range`}
      aria-valuemin={domain.from}
      aria-valuemax={domain.to}
      aria-valuenow={selection?.from ?? domain.from}
      aria-valuetext={selection === undefined ? 'nothing selected' : formatRange(selection)}
      onPointerDown={start}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={() => {
        drag.current = undefined
        setDraft(undefined)
      }}
      // prevents the browser from dragging selected text, which would capture the pointer
      onDragStart={(event) => event.preventDefault()}
      onPointerLeave={() => setHovered(undefined)}
      onWheel={onWheel === undefined ? undefined : (event) => onWheel(event, valueAt(event))}
      onKeyDown={(event) => {
        const next = stepBrush(event.key, event.shiftKey, selection, bars, domain)
        if (next === 'none') return
        event.preventDefault()
        onSelect(next)
      }}
    >
      {shown !== undefined && <Selected bounds={shown} domain={domain} />}
      {hovered !== undefined && (
        <Hovered bar={hovered} domain={domain} text={`${formatRange(hovered)}: ${formatY(hovered.value)}`} />
      )}
    </div>
  )
}

const share = (value: number, { from, to }: Bounds): number =>
  Math.max(0, Math.min(100, (100 * (value - from)) / (to - from)))

function Selected({ bounds, domain }: { readonly bounds: Bounds; readonly domain: Bounds }) {
  const [left, right] = [share(bounds.from, domain), share(bounds.to, domain)]
  return (
    <>
      <div class="veil" style={{ left: 0, width: `${left}%` }} />
      <div class="selected" style={{ left: `${left}%`, width: `${right - left}%` }} />
      <div class="veil" style={{ left: `${right}%`, right: 0 }} />
    </>
  )
}

function Hovered({ bar, domain, text }: { readonly bar: Bar; readonly domain: Bounds; readonly text: string }) {
  const [left, right] = [share(bar.from, domain), share(bar.to, domain)]
  const middle = (left + right) / 2
  const side = middle > 75 ? 'end' : middle < 25 ? 'start' : 'middle'
  return (
    <>
      <div class="hovered" style={{ left: `${left}%`, width: `${right - left}%` }} />
      <div class={`bar-tip ${side}`} style={{ left: `${middle}%` }}>
        {text}
      </div>
    </>
  )
}

/** Snaps the ends of a selection to the nearest edge of a bar, so that it matches the counts shown. */
function snap({ from, to }: Bounds, bars: readonly Bar[]): Bounds {
  const edges = bars.flatMap((bar) => [bar.from, bar.to])
  const nearest = (value: number): number =>
    edges.reduce((best, edge) => (Math.abs(edge - value) < Math.abs(best - value) ? edge : best), edges[0] ?? value)
  const [start, end] = [nearest(from), nearest(to)]
  if (start < end) return { from: start, to: end }
  const inside = bars.find((bar) => from >= bar.from && from < bar.to)
  return inside === undefined ? { from, to } : { from: inside.from, to: inside.to }
}
