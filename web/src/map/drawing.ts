import type { Map as MapLibre, MapMouseEvent, MapTouchEvent } from 'maplibre-gl'
import { boxValue, type Position, polygonValue } from './area.ts'
import { setData } from './basemap.ts'

export type DrawingTool = 'box' | 'polygon'

/**
 * Starts drawing an area on the map: a box by dragging, a polygon by clicking corners until the first corner or Enter.
 * Calls `done` with the filter value, or undefined if cancelled. Returns a function that stops it.
 */
export function startDrawing(map: MapLibre, tool: DrawingTool, done: (value: string | undefined) => void): () => void {
  const corners: Position[] = []
  let start: Position | undefined
  const canvas = map.getCanvas()
  canvas.style.cursor = 'crosshair'
  map.doubleClickZoom.disable()
  if (tool === 'box') map.dragPan.disable()

  const show = (ring: readonly Position[]): void => {
    const closed = [...ring, ...ring.slice(0, 1)].map((position) => [...position])
    const geometry: GeoJSON.Geometry =
      ring.length < 3 ? { type: 'LineString', coordinates: closed } : { type: 'Polygon', coordinates: [closed] }
    setData(map, 'drawing', { type: 'Feature', properties: {}, geometry })
  }
  const finish = (value: string | undefined): void => {
    stop()
    done(value)
  }
  const at = ({ lngLat }: MapMouseEvent | MapTouchEvent): Position => [lngLat.lng, lngLat.lat]

  const down = (event: MapMouseEvent | MapTouchEvent): void => {
    if (tool === 'box') start = at(event)
  }
  const move = (event: MapMouseEvent | MapTouchEvent): void => {
    const here = at(event)
    if (tool === 'polygon') {
      if (corners.length > 0) show([...corners, here])
      return
    }
    if (start === undefined) return
    const [[x, y], [u, v]] = [start, here]
    show([
      [x, y],
      [u, y],
      [u, v],
      [x, v],
    ])
  }
  const up = (event: MapMouseEvent | MapTouchEvent): void => {
    if (tool !== 'box' || start === undefined) return
    const value = boxValue(start, at(event))
    start = undefined
    if (value !== undefined) finish(value)
  }
  const click = (event: MapMouseEvent): void => {
    if (tool !== 'polygon') return
    const first = corners[0]
    const isClosing = first !== undefined && corners.length > 2 && map.project([...first]).dist(event.point) < 12
    if (isClosing) {
      finish(polygonValue(corners))
      return
    }
    corners.push(at(event))
    show(corners)
  }
  const key = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') finish(undefined)
    if (event.key === 'Enter' && tool === 'polygon' && corners.length > 2) finish(polygonValue(corners))
  }
  const twice = (event: MapMouseEvent): void => {
    event.preventDefault()
    if (tool === 'polygon' && corners.length > 2) finish(polygonValue(corners))
  }

  const heard = [
    map.on('mousedown', down),
    map.on('mousemove', move),
    map.on('mouseup', up),
    map.on('click', click),
    map.on('dblclick', twice),
    map.on('touchstart', down),
    map.on('touchmove', move),
    map.on('touchend', up),
  ]
  document.addEventListener('keydown', key)

  function stop(): void {
    for (const one of heard) one.unsubscribe()
    document.removeEventListener('keydown', key)
    setData(map, 'drawing', { type: 'FeatureCollection', features: [] })
    canvas.style.cursor = ''
    map.dragPan.enable()
    // the double click that ends a polygon must not zoom
    setTimeout(() => map.doubleClickZoom.enable(), 300)
  }
  return stop
}
