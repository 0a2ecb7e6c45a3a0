import { base } from '../api/request.ts'
import { formatCount, formatShort } from '../format/numbers.ts'
import { CurlButton } from '../parts/copy-button.tsx'
import type { ScaleClass } from './colour-scale.ts'

interface LegendProps {
  /** Absent while loading. */
  readonly documents: number | undefined
  /** True while the number is that of former filters. */
  readonly loading: boolean
  readonly note: string
  /** Absent: single colour. */
  readonly title: string | undefined
  readonly classes: readonly ScaleClass[]
  /** Largest value. */
  readonly most: number | undefined
  readonly tiles: string
}

/** Colour legend with the number of documents in view. */
export function Legend({ documents, loading, note, title, classes, most, tiles }: LegendProps) {
  const tile = tiles.slice(base.length).replace('{z}/{x}/{y}', '0/0/0')
  return (
    <div class="legend" aria-live="polite" data-loading={loading && documents !== undefined}>
      <div class="legend-text">
        {documents === undefined ? (
          <span class="soft in-view">Loading…</span>
        ) : (
          <>
            <strong class="in-view">{formatCount(documents)}</strong> in view
          </>
        )}
        <span class="soft">{note}</span>
        <CurlButton path={tile} />
      </div>
      {classes.length > 0 && (
        <div
          class="scale"
          role="img"
          aria-label={`${title}: from ${formatShort(classes[0]?.from ?? 0)} to ${formatShort(most ?? 0)}`}
        >
          {classes.map(({ from, colour }) => (
            <span key={from} class="step">
              <i style={{ background: colour }} />
              <small>{formatShort(from)}</small>
            </span>
          ))}
        </div>
      )}
      {title !== undefined && <div class="legend-title soft">{title}</div>}
    </div>
  )
}
