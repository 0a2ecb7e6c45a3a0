import 'maplibre-gl/dist/maplibre-gl.css'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Computed } from '../api/answers.ts'
import { explorePath } from '../api/explore-path.ts'
import { ask, base, isAbort } from '../api/request.ts'
import { token } from '../api/session.ts'
import { filterParameters } from '../filters/chip.ts'
import { parseGroup } from '../filters/triplet.ts'
import { beat, lastChange } from '../live/live.ts'
import { fieldName, useExplored } from '../state/explored.ts'
import { addChip, change, revision, state } from '../state/store.ts'
import { theme } from '../state/theme.ts'
import { boxAround, outlinesOf, tileBox } from './area.ts'
import { countClasses, figureClasses } from './colour-scale.ts'
import { showOutlines } from './data-layers.ts'
import { type DrawingTool, startDrawing } from './drawing.ts'
import { ExplorerMap } from './explorer-map.ts'
import type { HitSummary } from './hit-summary.ts'
import { Legend } from './legend.tsx'
import { noteOf, scaleTitle } from './legend-words.ts'
import type { MapData, Picked } from './map-events.ts'
import { MapTools } from './map-tools.tsx'
import { CellCard, Tooltip } from './picked-card.tsx'
import { selectedPlace } from './selected-place.ts'
import { cellProperty, cellTiles, hitFigure, hitProperty, hitTiles } from './tile-address.ts'
import { showsDocuments, type ViewSummary } from './view-summary.ts'

const boxOf = ([west, south, east, north]: readonly [number, number, number, number]) => ({ west, south, east, north })

interface MapViewProps {
  /** Fields of the tooltip; documents are drawn once they are known. */
  readonly told: readonly string[] | undefined
  /** Field that names documents; undefined if that is the identifier. */
  readonly title: string | undefined
}

/** The map: shows cells where documents are many, documents where they are few. */
export function MapView({ told, title }: MapViewProps) {
  const explored = useExplored()
  const { collection, paths } = explored
  const { chips, metric, mode, view } = state.value
  const host = useRef<HTMLDivElement>(null)
  const live = useRef<ExplorerMap | undefined>(undefined)
  const [summary, setSummary] = useState<ViewSummary>()
  const [hits, setHits] = useState<HitSummary>()
  const [pointed, setPointed] = useState<Picked>()
  const [picked, setPicked] = useState<Picked>()
  const [fault, setFault] = useState<string>()
  const [isStale, setStale] = useState(true)
  const [tool, setTool] = useState<DrawingTool>()
  const drawing = useRef(tool)
  drawing.current = tool

  const request = { base, collection, chips, metric, centroid: paths.centroid, revision: revision.value }
  const figure = hitFigure(metric)
  const include = [...new Set([title, ...(told ?? []), figure].filter((path) => path !== undefined))]
  const data: MapData = {
    cells: { tiles: cellTiles(request), property: cellProperty(metric) },
    hits: { tiles: hitTiles(request, include), property: figure === undefined ? undefined : hitProperty(figure) },
  }
  const signed = token.value

  // created once per collection; later changes are passed to it by the other effects
  useEffect(() => {
    if (host.current === null) return
    const made = new ExplorerMap(host.current, theme.value, view, data, {
      onView: (moved) => change({ view: moved }, 'replace'),
      onSummary: (counted) => {
        setSummary(counted)
        setStale(false)
      },
      onHits: setHits,
      onPoint: (found) => setPointed(drawing.current === undefined ? found : undefined),
      onPick: (found) => {
        if (drawing.current !== undefined) return
        setPointed(undefined)
        const id = found?.properties.id
        if (found?.kind === 'document' && id !== undefined) change({ document: String(id) })
        setPicked(found?.kind === 'cell' ? found : undefined)
      },
      onFault: setFault,
    })
    live.current = made
    if (view === undefined) zoomToData().catch(() => undefined)
    return () => {
      live.current = undefined
      made.remove()
    }
  }, [collection, signed])

  const zoomToData = async (): Promise<void> => {
    const path = explorePath(collection, '_compute', [
      ['field', paths.centroid],
      ['metric', 'geobbox'],
      ...filterParameters(state.value.chips),
    ])
    try {
      const { geometry } = await ask<Computed>(path)
      const box = geometry === undefined ? undefined : boxAround(geometry.coordinates)
      if (box !== undefined) live.current?.fit(box)
    } catch (error) {
      if (!isAbort(error)) setFault(error instanceof Error ? error.message : String(error))
    }
  }

  const asks = [data.cells.tiles, data.cells.property, data.hits.tiles, data.hits.property]
  useLayoutEffect(() => live.current?.setData(data), asks)
  useEffect(() => live.current?.setTheme(theme.value), [theme.value])
  useEffect(() => {
    const changed = lastChange.value
    if (beat.value === 0 || changed === undefined) return
    // a document that was changed may have been somewhere else before
    const extent = changed.complete && changed.updated === 0 ? changed.extent : undefined
    live.current?.refresh(extent === undefined ? undefined : boxOf(extent))
  }, [beat.value])
  useEffect(() => {
    if (view !== undefined) live.current?.goTo(view)
  }, [view])
  useEffect(() => {
    setPicked(undefined)
    setStale(true)
  }, [data.cells.tiles])

  const pixels = (host.current?.clientWidth ?? 0) * (host.current?.clientHeight ?? 0)
  const zoom = live.current?.map.getZoom() ?? 0
  const chosen =
    mode === 'auto'
      ? summary !== undefined && showsDocuments(summary.documents, pixels, zoom)
        ? 'documents'
        : 'cells'
      : mode
  const shown = told === undefined ? 'cells' : chosen
  useEffect(() => setPointed(undefined), [shown])
  const cellClasses = useMemo(() => {
    if (summary?.domain === undefined) return []
    return metric === undefined
      ? countClasses(summary.domain, theme.value)
      : figureClasses(summary.values, theme.value, 'quantile')
  }, [summary, metric, theme.value])
  const hitClasses = useMemo(
    () => (figure === undefined || hits === undefined ? [] : figureClasses(hits.values, theme.value, 'quantile')),
    [hits, figure, theme.value],
  )

  useEffect(() => {
    const { cells, hits } = data
    live.current?.look(
      {
        theme: theme.value,
        cells: { property: cells.property, classes: cellClasses },
        ...(hits.property === undefined ? {} : { hits: { property: hits.property, classes: hitClasses } }),
      },
      shown,
    )
  }, [cellClasses, hitClasses, data.cells.property, data.hits.property, shown, theme.value, collection])

  useEffect(() => {
    const rings = chips
      .filter(({ kind, off }) => kind === 'f' && !off)
      .flatMap(({ text }) =>
        (parseGroup(text) ?? [])
          .filter(({ op }) => op.includes('with') || op.includes('inter'))
          .flatMap(({ value }) => outlinesOf(value)),
      )
    const now = live.current
    now?.whenReady(() => showOutlines(now.map, 'areas', rings))
  }, [chips, collection])

  useEffect(() => {
    const { geometry, zoomTo } = selectedPlace.value
    live.current?.select(geometry)
    if (geometry !== undefined && zoomTo) live.current?.showPlace(geometry)
  }, [selectedPlace.value, collection])

  const hoveredCell = pointed?.kind === 'cell' ? String(pointed.properties.tile) : undefined
  useEffect(
    () => live.current?.hoverCell(hoveredCell ?? (picked === undefined ? undefined : String(picked.properties.tile))),
    [hoveredCell, picked],
  )

  // a layout effect, so that the map handles the first corner as soon as the hint is visible
  useLayoutEffect(() => {
    const map = live.current?.map
    if (tool === undefined || map === undefined) return
    return startDrawing(map, tool, (value) => {
      setTool(undefined)
      if (value !== undefined) addChip(`${paths.centroid}:within:${value}`)
    })
  }, [tool])

  return (
    <div class="map" data-shown={shown} data-documents={summary?.documents} data-cells={summary?.cells}>
      <div class="map-canvas" ref={host} />
      <MapTools tool={tool} onTool={setTool} onFit={zoomToData} />
      {tool !== undefined && (
        <p class="hint" role="status">
          {tool === 'box'
            ? 'Drag a box over the map.'
            : 'Click the corners. Click the first corner again or press Enter to finish.'}{' '}
          Press Escape to cancel.
        </p>
      )}
      <Legend
        documents={summary?.documents}
        loading={isStale}
        note={noteOf(shown, summary, hits)}
        title={scaleTitle(shown, metric, (path) => fieldName(explored, path))}
        classes={shown === 'cells' ? cellClasses : hitClasses}
        most={shown === 'cells' ? summary?.domain?.max : hits?.values.at(-1)}
        tiles={data.cells.tiles}
      />
      {fault !== undefined && (
        <div class="map-fault fault" role="alert">
          <p>Map error: {fault}.</p>
          <button
            type="button"
            class="button small"
            onClick={() => {
              setFault(undefined)
              revision.value++
            }}
          >
            Try again
          </button>
        </div>
      )}
      {pointed !== undefined && picked === undefined && (
        <Tooltip picked={pointed} told={told ?? []} title={title} metric={metric} />
      )}
      {picked !== undefined && (
        <CellCard
          picked={picked}
          metric={metric}
          onClose={() => setPicked(undefined)}
          onZoom={(tile) => {
            const box = tileBox(tile)
            setPicked(undefined)
            if (box !== undefined) live.current?.fit(box, 18)
          }}
        />
      )}
    </div>
  )
}
