import type { MapGeoJSONFeature, Map as MapLibre } from 'maplibre-gl'
import { PICKED } from './data-layers.ts'
import type { Picked } from './map-events.ts'

/** Returns the element at a screen point: a document near it, else the visible cell. */
export function pickAt(map: MapLibre, point: { readonly x: number; readonly y: number }): Picked | undefined {
  const around: [[number, number], [number, number]] = [
    [point.x - 3, point.y - 3],
    [point.x + 3, point.y + 3],
  ]
  const found = map.queryRenderedFeatures(around, { layers: [...PICKED] })
  const document = found.find(({ sourceLayer }) => sourceLayer === 'hits')
  const isCells = map.getPaintProperty('cells', 'fill-opacity') !== 0
  const feature: MapGeoJSONFeature | undefined =
    document ?? (isCells ? map.queryRenderedFeatures([point.x, point.y], { layers: ['cells'] })[0] : undefined)
  if (feature === undefined) return undefined
  return {
    kind: document === undefined ? 'cell' : 'document',
    properties: feature.properties,
    x: point.x,
    y: point.y,
  }
}
