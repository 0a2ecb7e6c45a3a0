import { explorePath } from '../api/explore-path.ts'
import { type Chip, filterParameters, type Parameter } from '../filters/chip.ts'
import type { Metric } from '../state/explorer-state.ts'

/** Zoom levels between a tile and its cells: 64 cells per side, 8 to 16 pixels each. */
export const CELL_DEPTH = 6

/** Cache lifetime of a tile. Seconds. */
const TILE_AGE = '60'

/** Maximum documents of a tile. Above what the map shows, since documents are only shown if there is room. */
const MOST_HITS = '2000'

interface TileRequest {
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

/** Returns the URL of tiles with the document count of every cell, and the chosen metric. */
export function cellTiles(request: TileRequest): string {
  const { metric, centroid } = request
  const figure =
    metric === undefined
      ? []
      : [['agg', `geotile:${centroid}:collect_field-${metric.field}:collect_fct-${metric.fct}`] as const]
  return template(request, [['layers', 'cells'], ['interval', String(CELL_DEPTH)], ...figure])
}

/**
 * Returns the URL of tiles with documents and the fields of the tooltip. Each tile indicates whether it is complete.
 */
export const hitTiles = (request: TileRequest, include: readonly string[]): string =>
  template(request, [
    ['layers', 'hits,meta'],
    ['size', MOST_HITS],
    ...(include.length === 0 ? [] : [['include', include.join(',')] as const]),
  ])

/** Returns the property of a cell that contains the chosen metric. */
export const cellProperty = (metric: Metric | undefined): string =>
  metric === undefined ? 'count' : `${metric.field.replaceAll('.', '_')}_${metric.fct}_`

/** Returns the field that colours single documents; undefined for counts and cardinalities. */
export const hitFigure = (metric: Metric | undefined): string | undefined =>
  metric === undefined || metric.fct === 'cardinality' ? undefined : metric.field

/** Returns the property of a document feature that contains a field. */
export const hitProperty = (path: string): string => path.replaceAll('.', '_')
