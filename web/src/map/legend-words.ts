import { formatCount } from '../format/numbers.ts'
import type { Metric } from '../state/explorer-state.ts'
import type { HitSummary } from './hit-summary.ts'
import { hitFigure } from './tile-address.ts'
import type { ViewSummary } from './view-summary.ts'

/** Returns a note on how the documents in view are shown; empty while unknown. */
export function noteOf(
  shown: 'cells' | 'documents',
  cells: ViewSummary | undefined,
  hits: HitSummary | undefined,
): string {
  if (shown === 'cells')
    return cells === undefined ? '' : ` · ${formatCount(cells.cells)} ${cells.cells === 1 ? 'cell' : 'cells'}`
  if (hits === undefined || (cells?.documents ?? 0) === 0) return ''
  return hits.isWhole ? ' · each one shown' : ' · only a part shown'
}

/**
 * Returns the title of the colour scale. Documents are coloured by the field value, whatever metric the cells have.
 * Undefined if there is a single colour.
 */
export function scaleTitle(
  shown: 'cells' | 'documents',
  metric: Metric | undefined,
  nameOf: (path: string) => string,
): string | undefined {
  if (shown === 'cells') return metric === undefined ? 'Documents per cell' : `${metric.fct} of ${nameOf(metric.field)}`
  const field = hitFigure(metric)
  return field === undefined ? undefined : nameOf(field)
}
