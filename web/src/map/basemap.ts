import type { LayerSpecification, Map as MapLibre, StyleSpecification } from 'maplibre-gl'
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import fineUrl from 'world-atlas/countries-10m.json?url'
import coarseUrl from 'world-atlas/countries-50m.json?url'
import { type Position, signedArea, unwrapRing } from './area.ts'
import type { Theme } from './colour-scale.ts'

type World = Topology<{
  readonly countries: GeometryCollection<{ readonly name?: string }>
  readonly land: GeometryCollection
}>

const COLOURS = {
  light: { sea: '#dfe8ee', land: '#f7f5f0', border: '#cfcabd', coast: '#b9c4c9', name: '#7d7a70', halo: '#f7f5f0' },
  dark: { sea: '#0d151b', land: '#1f2b34', border: '#374650', coast: '#42535f', name: '#8b98a1', halo: '#141d24' },
} as const

/** Minimum zoom for detailed coasts. */
export const FINE_ZOOM = 5

const empty: GeoJSON.FeatureCollection = { type: 'FeatureCollection', features: [] }

/** Configured raster tiles of another server. */
interface Tiles {
  readonly url: string
  readonly attribution: string
}

const metaText = (name: string): string =>
  document.querySelector(`meta[name="periplus-${name}"]`)?.getAttribute('content') ?? ''

const tilesOfSettings = (): Tiles | undefined => {
  const url = metaText('basemap')
  return url === '' ? undefined : { url, attribution: metaText('basemap-attribution') }
}

/** Dims raster tiles in the dark theme, so that the documents stand out. */
const brightness = (theme: Theme): number => (theme === 'dark' ? 0.55 : 1)

/** Returns the style without data: sea, land, borders and names, all from this server, or the configured tiles. */
export function basemapStyle(theme: Theme): StyleSpecification {
  const tiles = tilesOfSettings()
  return tiles === undefined ? outlineStyle(theme) : tileStyle(theme, tiles)
}

function tileStyle(theme: Theme, { url, attribution }: Tiles): StyleSpecification {
  return {
    version: 8,
    sources: { tiles: { type: 'raster', tiles: [url], tileSize: 256, ...(attribution === '' ? {} : { attribution }) } },
    layers: [
      { id: 'sea', type: 'background', paint: { 'background-color': COLOURS[theme].sea } },
      { id: 'tiles', type: 'raster', source: 'tiles', paint: { 'raster-brightness-max': brightness(theme) } },
    ],
  }
}

function outlineStyle(theme: Theme): StyleSpecification {
  const colours = COLOURS[theme]
  const data = (): { type: 'geojson'; data: GeoJSON.FeatureCollection } => ({ type: 'geojson', data: empty })
  const layers: LayerSpecification[] = [
    { id: 'sea', type: 'background', paint: { 'background-color': colours.sea } },
    { id: 'land', type: 'fill', source: 'land', paint: { 'fill-color': colours.land, 'fill-antialias': false } },
    { id: 'coast', type: 'line', source: 'land', paint: { 'line-color': colours.coast, 'line-width': 0.7 } },
    { id: 'borders', type: 'line', source: 'borders', paint: { 'line-color': colours.border, 'line-width': 0.8 } },
    {
      id: 'names',
      type: 'symbol',
      source: 'names',
      minzoom: 2,
      layout: {
        'text-field': ['get', 'name'],
        'text-font': ['sans-serif'],
        'text-size': ['interpolate', ['linear'], ['zoom'], 2, 10, 6, 14],
        'text-max-width': 7,
        'text-letter-spacing': 0.06,
        'symbol-sort-key': ['-', ['get', 'size']],
      },
      paint: { 'text-color': colours.name, 'text-halo-color': colours.halo, 'text-halo-width': 1.2 },
    },
  ]
  return {
    version: 8,
    sources: {
      land: { ...data(), attribution: 'Natural Earth' },
      borders: data(),
      names: data(),
    },
    layers,
  }
}

/** Applies the colours of a theme. */
export function paintBasemap(map: MapLibre, theme: Theme): void {
  const { sea, land, coast, border, name, halo } = COLOURS[theme]
  map.setPaintProperty('sea', 'background-color', sea)
  // the map draws nothing above and below the world
  map.getCanvas().style.backgroundColor = sea
  if (map.getLayer('tiles') !== undefined) {
    map.setPaintProperty('tiles', 'raster-brightness-max', brightness(theme))
    return
  }
  map.setPaintProperty('land', 'fill-color', land)
  map.setPaintProperty('coast', 'line-color', coast)
  map.setPaintProperty('borders', 'line-color', border)
  map.setPaintProperty('names', 'text-color', name)
  map.setPaintProperty('names', 'text-halo-color', halo)
}

/** Loads the world outlines in the given detail. */
export async function drawWorld(map: MapLibre, detail: 'coarse' | 'fine', signal: AbortSignal): Promise<void> {
  if (map.getSource('land') === undefined) return
  const response = await fetch(detail === 'coarse' ? coarseUrl : fineUrl, { signal })
  const world = (await response.json()) as World
  if (signal.aborted) return
  const { countries, land } = world.objects
  setData(map, 'land', unwrapped(feature(world, land)))
  setData(
    map,
    'borders',
    mesh(world, countries, (a, b) => a !== b),
  )
  if (detail === 'coarse') setData(map, 'names', names(feature(world, countries)))
}

export function setData(map: MapLibre, source: string, data: GeoJSON.GeoJSON): void {
  const found = map.getSource(source)
  if (found !== undefined && 'setData' in found && typeof found.setData === 'function') found.setData(data)
}

/** Returns the land without edges across the whole map. */
function unwrapped(land: GeoJSON.FeatureCollection): GeoJSON.FeatureCollection {
  const unwrap = (rings: GeoJSON.Position[][]): GeoJSON.Position[][] =>
    rings.map((ring) => unwrapRing(ring.map(position)).map((place) => [...place]))
  const features = land.features.map((one) => {
    const { geometry } = one
    if (geometry.type === 'Polygon')
      return { ...one, geometry: { ...geometry, coordinates: unwrap(geometry.coordinates) } }
    if (geometry.type !== 'MultiPolygon') return one
    return { ...one, geometry: { ...geometry, coordinates: geometry.coordinates.map(unwrap) } }
  })
  return { ...land, features }
}

/** Returns one label point per country, in the centre of its largest part. */
function names(
  countries: GeoJSON.FeatureCollection<GeoJSON.Geometry, { readonly name?: string }>,
): GeoJSON.FeatureCollection {
  return {
    type: 'FeatureCollection',
    features: countries.features.flatMap(({ geometry, properties }) => {
      const rings =
        geometry.type === 'Polygon'
          ? [geometry.coordinates[0]]
          : geometry.type === 'MultiPolygon'
            ? geometry.coordinates.map((part) => part[0])
            : []
      const sized = rings.flatMap((ring) => (ring === undefined ? [] : [sizedRing(unwrapRing(ring.map(position)))]))
      const largest = sized.sort((a, b) => b.size - a.size)[0]
      if (largest === undefined || properties.name === undefined) return []
      const coordinates = centroid(largest.ring)
      return [
        {
          type: 'Feature' as const,
          geometry: { type: 'Point' as const, coordinates: [...coordinates] },
          properties: { name: properties.name, size: largest.size },
        },
      ]
    }),
  }
}

const sizedRing = (ring: readonly Position[]) => ({ ring, size: Math.abs(signedArea(ring)) })

const position = ([lng = 0, lat = 0]: readonly number[]): Position => [lng, lat]

/** Centroid of the area inside a ring. */
function centroid(ring: readonly Position[]): Position {
  const double = signedArea(ring)
  const sum = ring.reduce<Position>(
    ([sumX, sumY], [x, y], i) => {
      const [nextX, nextY] = ring[(i + 1) % ring.length] ?? [x, y]
      const cross = x * nextY - nextX * y
      return [sumX + (x + nextX) * cross, sumY + (y + nextY) * cross]
    },
    [0, 0],
  )
  return double === 0 ? (ring[0] ?? [0, 0]) : [sum[0] / (3 * double), sum[1] / (3 * double)]
}
