import { explorePath } from '../api/explore-path.ts'
import { type Chip, filterParameters, type Parameter } from '../filters/chip.ts'
import type { Metric } from '../state/explorer-state.ts'

/** Zooms that cells lie below their tile: 64 of them side by side, 8 to 16 pixels each. */
export const CELL_DEPTH = 6

/** Seconds for which a tile may be shown again without asking. */
const TILE_AGE = '60'

/** More than a map shows by itself: documents are shown where there is room for them. */
const MOST_HITS = '2000'

export interface TileRequest {
  readonly base: string
  readonly collection: string
  readonly chips: readonly Chip[]
  readonly metric: Metric | undefined
  readonly centroid: string
  readonly revision: number
}

const template = ({ base, collection, chips, revision }: TileRequest, parameters: readonly Parameter[]): string => {
  const common: readonly Parameter[] = [
    ['max-age-cache', TILE_AGE],
    ...(revision === 0 ? [] : [['round', String(revision)] as const]),
  ]
  const path = explorePath(collection, '_mvt/-z-/-x-/-y-.mvt', [...parameters, ...filterParameters(chips), ...common])
  return `${base}${path.replace('-z-/-x-/-y-', '{z}/{x}/{y}')}`
}

/** Tiles with the number of documents of every cell, and the chosen figure. */
export function cellTiles(request: TileRequest): string {
  const { metric, centroid } = request
  const figure =
    metric === undefined
      ? []
      : [['agg', `geotile:${centroid}:collect_field-${metric.field}:collect_fct-${metric.fct}`] as const]
  return template(request, [['layers', 'cells'], ['interval', String(CELL_DEPTH)], ...figure])
}

/** Tiles with documents and the fields that are told when one is pointed at; each says whether it has all of them. */
export const hitTiles = (request: TileRequest, include: readonly string[]): string =>
  template(request, [
    ['layers', 'hits,meta'],
    ['size', MOST_HITS],
    ...(include.length === 0 ? [] : [['include', include.join(',')] as const]),
  ])

/** The property of a cell that holds the chosen figure. */
export const cellProperty = (metric: Metric | undefined): string =>
  metric === undefined ? 'count' : `${metric.field.replaceAll('.', '_')}_${metric.fct}_`

/** The field that gives a single document a value of the chosen figure: it is no number of documents or of values. */
export const hitFigure = (metric: Metric | undefined): string | undefined =>
  metric === undefined || metric.fct === 'cardinality' ? undefined : metric.field

/** The property of a document's feature that holds a field. */
export const hitProperty = (path: string): string => path.replaceAll('.', '_')
