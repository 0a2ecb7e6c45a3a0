import { LngLat, Map as MapLibre, NavigationControl, ScaleControl, setWorkerUrl } from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import { base, isAbort } from '../api/request.ts'
import { authorization } from '../api/session.ts'
import type { MapView } from '../state/explorer-state.ts'
import { type Box, boxAround, wrap } from './area.ts'
import { basemapStyle, drawWorld, FINE_ZOOM, paintBasemap, setData } from './basemap.ts'
import type { Theme } from './colour-scale.ts'
import { addDataLayers, CELLS, HITS, paintData, setTiles, showLayers } from './data-layers.ts'
import { type HitSummary, isSameHits } from './hit-summary.ts'
import { cellsInView, hitsInView } from './in-view.ts'
import type { DataLook, MapData, MapEvents } from './map-events.ts'
import { pickAt } from './pick-at.ts'
import { tilesOver } from './tiles-over.ts'
import { holdToWorld, ZOOMS } from './world-edge.ts'

setWorkerUrl(new URL(workerUrl, import.meta.url).href)

/** The map with its data, controlled by the component around it. */
export class ExplorerMap {
  readonly map: MapLibre
  readonly #events: MapEvents
  readonly #ended = new AbortController()
  /** True once documents changed while the page follows them: tiles of the browser cache may be old. */
  #isFresh = false
  readonly #ready: Promise<void>
  #data: MapData
  #shown: 'cells' | 'documents' = 'cells'
  #hits: HitSummary | undefined
  #isFine = false
  #isHeld = false
  /** No cells were found, but their tiles may not have been requested yet. */
  #maybeEmpty = false
  #paint: () => void = () => undefined

  constructor(container: HTMLElement, theme: Theme, view: MapView | undefined, data: MapData, events: MapEvents) {
    this.#events = events
    this.#data = data
    this.map = new MapLibre({
      container,
      style: basemapStyle(theme),
      center: view === undefined ? [10, 20] : [view.lng, view.lat],
      zoom: view?.zoom ?? 1.2,
      minZoom: ZOOMS.min,
      maxZoom: ZOOMS.max,
      transformConstrain: ({ lng, lat }, wanted) => {
        const held = holdToWorld(
          { lat, zoom: wanted },
          { width: container.clientWidth, height: container.clientHeight },
        )
        return { center: new LngLat(lng, held.lat), zoom: held.zoom }
      },
      dragRotate: false,
      pitchWithRotate: false,
      touchPitch: false,
      attributionControl: { compact: true },
      fadeDuration: reducedMotion() ? 0 : 150,
      transformRequest: (url) =>
        url.startsWith(base)
          ? { url, headers: { ...authorization() }, ...(this.#isFresh ? { cache: 'no-cache' as const } : {}) }
          : { url },
    })
    this.map.touchZoomRotate.disableRotation()
    this.map.keyboard.disableRotation()
    this.map.addControl(new NavigationControl({ showCompass: false }), 'bottom-right')
    this.map.addControl(new ScaleControl({}), 'bottom-right')
    this.#ready = new Promise((resolve) => {
      this.map.once('load', () => {
        addDataLayers(this.map, this.#data.cells.tiles, this.#data.hits.tiles)
        this.#listen()
        resolve()
        this.#drawWorld('coarse').then(
          () => this.#refine(),
          () => undefined,
        )
      })
    })
  }

  /** Runs `act` once the map is ready. */
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

  /** Replaces the data; pending tiles of the previous data are cancelled. */
  setData(data: MapData): void {
    this.whenReady(() => {
      const { cells, hits } = this.#data
      this.#data = data
      const isOther = { cells: data.cells.tiles !== cells.tiles, hits: data.hits.tiles !== hits.tiles }
      if (isOther.cells || isOther.hits) this.#holdLook()
      if (isOther.cells) setTiles(this.map, CELLS, data.cells.tiles)
      if (isOther.hits) setTiles(this.map, HITS, data.hits.tiles)
      this.#events.onFault(undefined)
    })
  }

  /** Loads the tiles again that may have changed: those that meet the box, or all in view. Others stay as they are. */
  refresh(extent: Box | undefined): void {
    this.whenReady(() => {
      this.#isFresh = true
      const tiles = extent === undefined ? undefined : tilesOver(extent, this.map.getZoom())
      for (const source of [CELLS, HITS]) {
        if (tiles === undefined) this.map.refreshTiles(source)
        else this.map.refreshTiles(source, [...tiles])
      }
    })
  }

  look(look: DataLook, shown: 'cells' | 'documents'): void {
    this.whenReady(() => {
      this.#paint = () => {
        this.#shown = shown
        paintData(this.map, look.theme, look.cells, look.hits)
        showLayers(this.map, shown)
      }
      if (!this.#isHeld) this.#paint()
    })
  }

  /**
   * Defers colour changes until the new tiles have arrived. A change during the exchange makes MapLibre redraw the old
   * tiles and skip loading the others.
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

  /** Moves to the view of the URL if it differs. */
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
    // documents are known only once they are drawn
    map.on('idle', () => {
      if (this.#maybeEmpty) this.#summarise(true)
      this.#summariseHits()
    })
    map.on('error', ({ error }) => {
      if (isAbort(error)) return
      this.#events.onFault(error.message)
    })
    map.on('mousemove', (event) => this.#events.onPoint(pickAt(map, event.point)))
    map.on('mouseout', () => this.#events.onPoint(undefined))
    map.on('dragstart', () => this.#events.onPoint(undefined))
    map.on('click', (event) => this.#events.onPick(pickAt(map, event.point)))
  }

  #summarise(isIdle = false): void {
    const summary = cellsInView(this.map, this.#data.cells.property)
    if (summary === undefined) return
    this.#maybeEmpty = summary.documents === 0 && !isIdle
    if (!this.#maybeEmpty) this.#events.onSummary(summary)
  }

  /** Notifies only of changes: the same summary again would repaint the layer, and so on in a loop. */
  #summariseHits(): void {
    if (this.#shown === 'cells') return
    const hits = hitsInView(this.map, this.#data.hits.property)
    if (hits === undefined || isSameHits(this.#hits, hits)) return
    this.#hits = hits
    this.#events.onHits(hits)
  }

  async #drawWorld(detail: 'coarse' | 'fine'): Promise<void> {
    try {
      await drawWorld(this.map, detail, this.#ended.signal)
    } catch (error) {
      if (this.#ended.signal.aborted) return
      this.#events.onFault('The country outlines could not be loaded')
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

const reducedMotion = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches
