import { useEffect, useRef } from 'preact/hooks'
import { formatMoment } from '../format/dates.ts'
import { formatDocuments, formatFigure } from '../format/numbers.ts'
import { formatValue } from '../format/values.ts'
import { Icon } from '../parts/icon.tsx'
import { fieldName, useExplored } from '../state/explored.ts'
import type { Metric } from '../state/explorer-state.ts'
import { addChip } from '../state/store.ts'
import { tileBox } from './area.ts'
import type { Picked } from './map-events.ts'
import { cellProperty, hitProperty } from './tile-address.ts'

interface Line {
  readonly name: string
  readonly value: string
}

/** Tooltip of the element under the pointer. */
export function Tooltip({
  picked,
  told,
  title: titlePath,
  metric,
}: {
  readonly picked: Picked
  readonly told: readonly string[]
  /** Field that names documents; undefined if that is the identifier. */
  readonly title: string | undefined
  readonly metric: Metric | undefined
}) {
  const explored = useExplored()
  const { properties, kind, x, y } = picked
  const lines: readonly Line[] =
    kind === 'cell'
      ? figureLine(properties, metric, (path) => fieldName(explored, path))
      : told.flatMap((path) => {
          const value = properties[hitProperty(path)]
          if (value === undefined || value === null) return []
          const field = explored.fields.find((one) => one.path === path)
          return [{ name: fieldName(explored, path), value: formatValue(value, field) }]
        })
  const name = titlePath === undefined ? undefined : properties[hitProperty(titlePath)]
  const title =
    kind === 'cell' ? formatDocuments(Number(properties.count)) : String(name ?? properties.id ?? 'Document')
  return (
    <div class="tooltip" style={{ transform: `translate(${x + 14}px, ${y + 14}px)` }}>
      <strong>{title}</strong>
      {lines.map(({ name, value }) => (
        <div key={name}>
          <span class="soft">{name}</span> {value}
        </div>
      ))}
      {kind === 'document' && typeof properties.timestamp === 'number' && (
        <div class="soft">{formatMoment(properties.timestamp)}</div>
      )}
    </div>
  )
}

function figureLine(
  properties: Picked['properties'],
  metric: Metric | undefined,
  nameOf: (path: string) => string,
): readonly Line[] {
  if (metric === undefined) return []
  const value = properties[cellProperty(metric)]
  return typeof value === 'number'
    ? [{ name: `${metric.fct} of ${nameOf(metric.field)}`, value: formatFigure(value) }]
    : []
}

interface CellCardProps {
  readonly picked: Picked
  readonly metric: Metric | undefined
  readonly onClose: () => void
  readonly onZoom: (tile: string) => void
}

/** Card of a clicked cell with its actions. */
export function CellCard({ picked, metric, onClose, onZoom }: CellCardProps) {
  const explored = useExplored()
  const first = useRef<HTMLButtonElement>(null)
  useEffect(() => first.current?.focus(), [picked])
  const { properties, x, y } = picked
  const tile = String(properties.tile)
  const filter = (): void => {
    const box = tileBox(tile)
    if (box === undefined) return
    const edges = [box.west, box.south, box.east, box.north].map((value) => Number(value.toFixed(6)))
    addChip(`${explored.paths.centroid}:within:${edges.join(',')}`)
    onClose()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles Escape for all focusable elements inside
    <div
      class="tooltip card"
      style={{ transform: `translate(${x + 8}px, ${y + 8}px)` }}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <strong>{formatDocuments(Number(properties.count))}</strong>
      {figureLine(properties, metric, (path) => fieldName(explored, path)).map(({ name, value }) => (
        <div key={name}>
          <span class="soft">{name}</span> {value}
        </div>
      ))}
      <div class="row">
        <button type="button" class="button small" ref={first} onClick={() => onZoom(tile)}>
          <Icon name="search" size={14} /> Zoom in
        </button>
        <button type="button" class="button small" onClick={filter}>
          <Icon name="filter" size={14} /> Filter
        </button>
        <button type="button" class="icon-button" aria-label="Close" onClick={onClose}>
          <Icon name="close" size={14} />
        </button>
      </div>
    </div>
  )
}
