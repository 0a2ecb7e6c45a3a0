import {
  type GeoJSONFeature,
  type MapGeoJSONFeature,
  Map as MapLibre,
  NavigationControl,
  ScaleControl,
  setWorkerUrl,
} from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import { base, isAbort } from '../api/request.ts'
import { authorization } from '../api/session.ts'
import type { MapView } from '../state/explorer-state.ts'
import { type Box, boxAround, wrap } from './area.ts'
import { basemapStyle, drawWorld, FINE_ZOOM, paintBasemap, setData } from './basemap.ts'
import { countClasses, figureClasses, type ScaleClass, type Theme } from './colour-scale.ts'
import { addDataLayers, CELLS, HITS, PICKED, paintData, setTiles, showLayers } from './data-layers.ts'
import type { DataLook, MapEvents, Picked } from './map-events.ts'
import { CELL_DEPTH } from './tile-address.ts'
import { type CellProperties, summarise, type ViewSummary } from './view-summary.ts'

setWorkerUrl(new URL(workerUrl, import.meta.url).href)

/** The map with its data; a thing with a life, driven by the component around it. */
export class ExplorerMap {
  readonly map: MapLibre
  readonly #events: MapEvents
  readonly #ended = new AbortController()
  readonly #ready: Promise<void>
  #property = 'count'
  #isFine = false
  #isHeld = false
  #paint: () => void = () => undefined
  #tiles = { cells: '', hits: '' }

  constructor(
    container: HTMLElement,
    theme: Theme,
    view: MapView | undefined,
    tiles: { readonly cells: string; readonly hits: string },
    events: MapEvents,
  ) {
    this.#events = events
    this.#tiles = { ...tiles }
    this.map = new MapLibre({
      container,
      style: basemapStyle(theme),
      center: view === undefined ? [10, 20] : [view.lng, view.lat],
      zoom: view?.zoom ?? 1.2,
      minZoom: 0,
      maxZoom: 20,
      dragRotate: false,
      pitchWithRotate: false,
      touchPitch: false,
      attributionControl: { compact: true },
      fadeDuration: reducedMotion() ? 0 : 150,
      transformRequest: (url) => (url.startsWith(base) ? { url, headers: { ...authorization() } } : { url }),
    })
    this.map.touchZoomRotate.disableRotation()
    this.map.keyboard.disableRotation()
    this.map.addControl(new NavigationControl({ showCompass: false }), 'bottom-right')
    this.map.addControl(new ScaleControl({}), 'bottom-right')
    this.#ready = new Promise((resolve) => {
      this.map.once('load', () => {
        addDataLayers(this.map, this.#tiles.cells, this.#tiles.hits)
        this.#listen()
        resolve()
        this.#drawWorld('coarse').then(
          () => this.#refine(),
          () => undefined,
        )
      })
    })
  }

  /** Runs once the map can be drawn on. */
  whenReady(act: () => void): void {
    this.#ready.then(
      () => {
        if (!this.#ended.signal.aborted) act()
      },
      () => undefined,
    )
  }

  remove(): void {
    this.#ended.abort()
    this.map.remove()
  }

  setTheme(theme: Theme): void {
    this.whenReady(() => paintBasemap(this.map, theme))
  }

  /** Other tiles: those on their way are given up. */
  setTiles(cells: string, hits: string, property: string): void {
    this.whenReady(() => {
      this.#property = property
      if (cells !== this.#tiles.cells || hits !== this.#tiles.hits) this.#holdLook()
      if (cells !== this.#tiles.cells) setTiles(this.map, CELLS, cells)
      if (hits !== this.#tiles.hits) setTiles(this.map, HITS, hits)
      this.#tiles = { cells, hits }
      this.#events.onFault(undefined)
    })
  }

  look(look: DataLook, shown: 'cells' | 'documents'): void {
    this.whenReady(() => {
      this.#paint = () => {
        paintData(this.map, look.theme, look.cells, look.hits)
        showLayers(this.map, shown)
      }
      if (!this.#isHeld) this.#paint()
    })
  }

  /**
   * Colours that change while tiles are exchanged make MapLibre draw the tiles it has once more, and forget to fetch the
   * others: they wait until those are there.
   */
  #holdLook(): void {
    if (this.#isHeld) return
    this.#isHeld = true
    this.map.once('idle', () => {
      this.#isHeld = false
      this.#paint()
    })
  }

  select(geometry: GeoJSON.Geometry | undefined): void {
    this.whenReady(() =>
      setData(
        this.map,
        'selected',
        geometry === undefined
          ? { type: 'FeatureCollection', features: [] }
          : { type: 'Feature', properties: {}, geometry },
      ),
    )
  }

  /** Shows a box, or the surroundings of a point. */
  fit(box: Box, maxZoom = 12): void {
    const east = box.east < box.west ? box.east + 360 : box.east
    const padding = Math.min(60, this.map.getContainer().clientWidth / 8)
    this.map.fitBounds([box.west, box.south, east, box.north], {
      padding,
      maxZoom,
      duration: reducedMotion() ? 0 : 600,
    })
  }

  showPlace(geometry: GeoJSON.Geometry): void {
    const box = boxAround(
      'coordinates' in geometry
        ? geometry.coordinates
        : geometry.geometries.map((one) => ('coordinates' in one ? one.coordinates : [])),
    )
    if (box !== undefined) this.fit(box, Math.max(7, this.map.getZoom()))
  }

  /** Goes where the address says, when that is elsewhere. */
  goTo({ lng, lat, zoom }: MapView): void {
    const center = this.map.getCenter()
    const isThere =
      Math.abs(center.lat - lat) < 1e-4 &&
      Math.abs(center.lng - lng) < 1e-4 &&
      Math.abs(this.map.getZoom() - zoom) < 0.01
    if (!isThere) this.map.jumpTo({ center: [lng, lat], zoom })
  }

  hoverCell(tile: string | undefined): void {
    this.whenReady(() => this.map.setFilter('cell-hovered', ['==', ['get', 'tile'], tile ?? '']))
  }

  view(): MapView {
    const { lng, lat } = this.map.getCenter()
    return { lng: wrap(lng), lat, zoom: this.map.getZoom() }
  }

  #listen(): void {
    const { map } = this
    map.on('moveend', () => {
      this.#refine()
      this.#summarise()
      this.#events.onView(this.view())
    })
    map.on('sourcedata', ({ sourceId, isSourceLoaded }) => {
      if (sourceId === CELLS && isSourceLoaded) this.#summarise()
    })
    map.on('error', ({ error }) => {
      if (isAbort(error)) return
      this.#events.onFault(error.message)
    })
    map.on('mousemove', (event) => this.#events.onPoint(this.#pick(event.point)))
    map.on('mouseout', () => this.#events.onPoint(undefined))
    map.on('dragstart', () => this.#events.onPoint(undefined))
    map.on('click', (event) => this.#events.onPick(this.#pick(event.point)))
  }

  #pick(point: { readonly x: number; readonly y: number }): Picked | undefined {
    const around: [[number, number], [number, number]] = [
      [point.x - 3, point.y - 3],
      [point.x + 3, point.y + 3],
    ]
    const found = this.map.queryRenderedFeatures(around, { layers: [...PICKED] })
    const document = found.find(({ sourceLayer }) => sourceLayer === 'hits')
    const isCells = this.map.getPaintProperty('cells', 'fill-opacity') !== 0
    const feature: MapGeoJSONFeature | undefined =
      document ?? (isCells ? this.map.queryRenderedFeatures([point.x, point.y], { layers: ['cells'] })[0] : undefined)
    if (feature === undefined) return undefined
    return {
      kind: document === undefined ? 'cell' : 'document',
      properties: feature.properties,
      x: point.x,
      y: point.y,
    }
  }

  #summarise(): void {
    if (!this.map.isSourceLoaded(CELLS)) return
    const features = this.map.querySourceFeatures(CELLS, { sourceLayer: 'cells' })
    const bounds = this.map.getBounds()
    const view = { west: bounds.getWest(), south: bounds.getSouth(), east: bounds.getEast(), north: bounds.getNorth() }
    const zoom = Math.min(20, Math.floor(this.map.getZoom())) + CELL_DEPTH
    this.#events.onSummary(summarise(features.flatMap(readCell), zoom, view, this.#property))
  }

  async #drawWorld(detail: 'coarse' | 'fine'): Promise<void> {
    try {
      await drawWorld(this.map, detail, this.#ended.signal)
    } catch (error) {
      if (this.#ended.signal.aborted) return
      this.#events.onFault('The outlines of the world could not be loaded')
      throw error
    }
  }

  #refine(): void {
    if (this.#isFine || this.map.getZoom() < FINE_ZOOM) return
    this.#isFine = true
    this.#drawWorld('fine').catch(() => {
      this.#isFine = false
    })
  }
}

function readCell({ properties }: GeoJSONFeature): readonly CellProperties[] {
  const { tile, count } = properties
  return typeof tile === 'string' && typeof count === 'number' ? [{ ...properties, tile, count }] : []
}

const reducedMotion = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches

/** The classes of what is in view. */
export const classesOf = (summary: ViewSummary | undefined, isCount: boolean, theme: Theme): readonly ScaleClass[] =>
  summary?.domain === undefined ? [] : (isCount ? countClasses : figureClasses)(summary.domain, theme)
