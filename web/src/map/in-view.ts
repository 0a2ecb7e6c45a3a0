import type { GeoJSONFeature, Map as MapLibre } from 'maplibre-gl'
import { CELLS, HIT_LAYERS, HITS } from './data-layers.ts'
import { type HitSummary, summariseHits } from './hit-summary.ts'
import { CELL_DEPTH } from './tile-address.ts'
import { type CellProperties, summarise, type ViewSummary } from './view-summary.ts'

/** Returns the summary of the cells in view; undefined while their tiles are loading. */
export function cellsInView(map: MapLibre, property: string): ViewSummary | undefined {
  if (!map.isSourceLoaded(CELLS)) return undefined
  const features = map.querySourceFeatures(CELLS, { sourceLayer: 'cells' })
  const bounds = map.getBounds()
  const view = { west: bounds.getWest(), south: bounds.getSouth(), east: bounds.getEast(), north: bounds.getNorth() }
  // tiles start at zoom 0, even if the map is zoomed out further
  const zoom = Math.max(0, Math.min(20, Math.floor(map.getZoom()))) + CELL_DEPTH
  return summarise(features.flatMap(readCell), zoom, view, property)
}

function readCell({ properties }: GeoJSONFeature): readonly CellProperties[] {
  const { tile, count } = properties
  return typeof tile === 'string' && typeof count === 'number' ? [{ ...properties, tile, count }] : []
}

/** Returns the summary of the drawn documents; undefined if none of their tiles is loaded. */
export function hitsInView(map: MapLibre, property: string | undefined): HitSummary | undefined {
  const tiles = map.querySourceFeatures(HITS, { sourceLayer: 'meta' })
  if (tiles.length === 0) return undefined
  const drawn = property === undefined ? [] : map.queryRenderedFeatures({ layers: [...HIT_LAYERS] })
  return summariseHits(
    drawn.map(({ properties }) => properties),
    tiles.map(({ properties }) => properties),
    property,
  )
}
