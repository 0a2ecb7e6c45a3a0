import { formatCount } from '../format/numbers.ts'
import type { Metric } from '../state/explorer-state.ts'
import type { HitSummary } from './hit-summary.ts'
import { hitFigure } from './tile-address.ts'
import type { ViewSummary } from './view-summary.ts'

/** How what is in view is shown; nothing while that is not known. */
export function noteOf(
  shown: 'cells' | 'documents',
  cells: ViewSummary | undefined,
  hits: HitSummary | undefined,
): string {
  if (shown === 'cells') return ` · ${formatCount(cells?.cells ?? 0)} cells`
  if (hits === undefined || (cells?.documents ?? 0) === 0) return ''
  return hits.isWhole ? ' · each one shown' : ' · only a part shown'
}

/** What the colours stand for: a document has the value of its field, whatever figure cells have; undefined for one colour. */
export function scaleTitle(
  shown: 'cells' | 'documents',
  metric: Metric | undefined,
  nameOf: (path: string) => string,
): string | undefined {
  if (shown === 'cells') return metric === undefined ? 'Documents per cell' : `${metric.fct} of ${nameOf(metric.field)}`
  const field = hitFigure(metric)
  return field === undefined ? undefined : nameOf(field)
}
