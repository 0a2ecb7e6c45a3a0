import type { ExpressionSpecification, Map as MapLibre } from 'maplibre-gl'
import { setData } from './basemap.ts'
import { type ScaleClass, stepExpression, type Theme } from './colour-scale.ts'

export const CELLS = 'cells'
export const HITS = 'hits'
export const HIT_LAYERS = ['hit-areas', 'hit-outlines', 'hit-lines', 'hit-points'] as const
const CELL_LAYERS = ['cells', 'cell-hovered'] as const

/** Layers that react to the pointer. */
export const PICKED = ['cells', 'hit-areas', 'hit-lines', 'hit-points'] as const

interface DataColours {
  readonly accent: string
  readonly edge: string
  readonly area: string
}

const COLOURS: Readonly<Record<Theme, DataColours>> = {
  light: { accent: '#0b63b0', edge: '#ffffff', area: '#b3261e' },
  dark: { accent: '#5cb3ff', edge: '#0e161d', area: '#ff9d76' },
}

const none: GeoJSON.FeatureCollection = { type: 'FeatureCollection', features: [] }

/** Adds the data layers, still empty: cells, documents, areas of filters, the current drawing, the selection. */
export function addDataLayers(map: MapLibre, cellTiles: string, hitTiles: string): void {
  map.addSource(CELLS, { type: 'vector', tiles: [cellTiles], minzoom: 0, maxzoom: 20 })
  map.addSource(HITS, { type: 'vector', tiles: [hitTiles], minzoom: 0, maxzoom: 20 })
  for (const source of ['areas', 'drawing', 'selected']) map.addSource(source, { type: 'geojson', data: none })
  // Raster tiles contain their own names, so the layer may be missing.
  const before = map.getLayer('names') === undefined ? undefined : 'names'
  const hits = { source: HITS, 'source-layer': 'hits' } as const
  const hidden = { visibility: 'none' } as const
  map.addLayer(
    { id: 'cells', type: 'fill', source: CELLS, 'source-layer': 'cells', paint: { 'fill-opacity': 0.86 } },
    before,
  )
  map.addLayer(
    {
      id: 'cell-hovered',
      type: 'line',
      source: CELLS,
      'source-layer': 'cells',
      filter: ['==', ['get', 'tile'], ''],
      paint: { 'line-width': 2 },
    },
    before,
  )
  const isArea: ExpressionSpecification = ['==', ['geometry-type'], 'Polygon']
  map.addLayer({
    id: 'hit-areas',
    type: 'fill',
    ...hits,
    layout: hidden,
    filter: isArea,
    paint: { 'fill-opacity': 0.28 },
  })
  map.addLayer({
    id: 'hit-outlines',
    type: 'line',
    ...hits,
    layout: hidden,
    filter: isArea,
    paint: { 'line-width': 1.4 },
  })
  map.addLayer({
    id: 'hit-lines',
    type: 'line',
    ...hits,
    layout: hidden,
    filter: ['==', ['geometry-type'], 'LineString'],
    paint: { 'line-width': 2.4 },
  })
  map.addLayer({
    id: 'hit-points',
    type: 'circle',
    ...hits,
    layout: hidden,
    filter: ['==', ['geometry-type'], 'Point'],
    paint: {
      'circle-radius': ['interpolate', ['linear'], ['zoom'], 0, 4, 8, 6, 14, 8],
      'circle-opacity': 0.85,
      'circle-stroke-width': 1,
    },
  })
  map.addLayer({ id: 'area-fill', type: 'fill', source: 'areas', paint: { 'fill-opacity': 0.03 } })
  map.addLayer({
    id: 'area-line',
    type: 'line',
    source: 'areas',
    paint: { 'line-width': 2, 'line-dasharray': [2, 1.5] },
  })
  map.addLayer({ id: 'drawing-fill', type: 'fill', source: 'drawing', filter: isArea, paint: { 'fill-opacity': 0.14 } })
  map.addLayer({ id: 'drawing-line', type: 'line', source: 'drawing', paint: { 'line-width': 2 } })
  map.addLayer({ id: 'selected-line', type: 'line', source: 'selected', paint: { 'line-width': 3 } })
  map.addLayer({
    id: 'selected-point',
    type: 'circle',
    source: 'selected',
    filter: ['==', ['geometry-type'], 'Point'],
    paint: { 'circle-radius': 11, 'circle-color': 'rgba(0,0,0,0)', 'circle-stroke-width': 3 },
  })
}

/** Applies the colours of a theme and the colour scales of cells and documents. */
export function paintData(
  map: MapLibre,
  theme: Theme,
  cells: { readonly property: string; readonly classes: readonly ScaleClass[] },
  hits?: { readonly property: string; readonly classes: readonly ScaleClass[] },
): void {
  const { accent, edge, area } = COLOURS[theme]
  const scale = (of: typeof hits): ExpressionSpecification | string =>
    of === undefined || of.classes.length === 0 ? accent : stepExpression(of.property, of.classes)
  map.setPaintProperty('cells', 'fill-color', scale(cells))
  map.setPaintProperty(
    'cells',
    'fill-outline-color',
    theme === 'dark' ? 'rgba(14,22,29,0.55)' : 'rgba(255,255,255,0.55)',
  )
  map.setPaintProperty('cell-hovered', 'line-color', theme === 'dark' ? '#ffffff' : '#12202b')
  for (const layer of ['hit-areas', 'hit-outlines', 'hit-lines', 'hit-points'] as const) {
    const property = layer === 'hit-areas' ? 'fill-color' : layer === 'hit-points' ? 'circle-color' : 'line-color'
    map.setPaintProperty(layer, property, scale(hits))
  }
  map.setPaintProperty('hit-points', 'circle-stroke-color', edge)
  for (const layer of ['area-line', 'drawing-line', 'selected-line']) map.setPaintProperty(layer, 'line-color', area)
  for (const layer of ['area-fill', 'drawing-fill']) map.setPaintProperty(layer, 'fill-color', area)
  map.setPaintProperty('selected-point', 'circle-stroke-color', area)
}

/**
 * Shows cells or documents; hidden layers load nothing. Cells stay loaded, because their counts decide what to show.
 */
export function showLayers(map: MapLibre, what: 'cells' | 'documents'): void {
  for (const layer of HIT_LAYERS) map.setLayoutProperty(layer, 'visibility', what === 'documents' ? 'visible' : 'none')
  map.setPaintProperty('cells', 'fill-opacity', what === 'documents' ? 0 : 0.86)
  for (const layer of CELL_LAYERS.slice(1))
    map.setLayoutProperty(layer, 'visibility', what === 'documents' ? 'none' : 'visible')
}

export function setTiles(map: MapLibre, source: string, tiles: string): void {
  const found = map.getSource(source)
  if (found !== undefined && 'setTiles' in found && typeof found.setTiles === 'function') found.setTiles([tiles])
}

export const showOutlines = (map: MapLibre, source: string, rings: readonly (readonly (readonly number[])[])[]): void =>
  setData(map, source, {
    type: 'FeatureCollection',
    features: rings.map((ring) => ({
      type: 'Feature',
      properties: {},
      geometry: { type: 'Polygon', coordinates: [ring.map((position) => [...position])] },
    })),
  })
