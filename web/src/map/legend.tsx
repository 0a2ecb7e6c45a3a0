import { base } from '../api/request.ts'
import { formatCount, formatShort } from '../format/numbers.ts'
import { CurlButton } from '../parts/copy-button.tsx'
import type { ScaleClass } from './colour-scale.ts'
import type { ViewSummary } from './view-summary.ts'

export interface LegendProps {
  readonly shown: 'cells' | 'documents'
  readonly summary: ViewSummary | undefined
  readonly classes: readonly ScaleClass[]
  readonly title: string
  readonly tiles: string
}

/** What the colours mean, and how many documents are in view. */
export function Legend({ shown, summary, classes, title, tiles }: LegendProps) {
  const { documents = 0, cells = 0 } = summary ?? {}
  const tile = tiles.slice(base.length).replace('{z}/{x}/{y}', '0/0/0')
  return (
    <div class="legend" aria-live="polite">
      <div class="legend-text">
        <strong class="in-view">{formatCount(documents)}</strong> in view
        <span class="soft">
          {shown === 'cells' ? ` · ${formatCount(cells)} cells` : documents === 0 ? '' : ' · each one shown'}
        </span>
        <CurlButton path={tile} />
      </div>
      {classes.length > 0 && (shown === 'cells' || title !== 'Documents') && (
        <div
          class="scale"
          role="img"
          aria-label={`${title}: from ${formatShort(classes[0]?.from ?? 0)} to ${formatShort(summary?.domain?.max ?? 0)}`}
        >
          {classes.map(({ from, colour }) => (
            <span key={from} class="step">
              <i style={{ background: colour }} />
              <small>{formatShort(from)}</small>
            </span>
          ))}
        </div>
      )}
      {shown === 'cells' && <div class="legend-title soft">{title === 'Documents' ? 'Documents per cell' : title}</div>}
    </div>
  )
}
