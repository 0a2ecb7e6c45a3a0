import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { expect, test } from 'vitest'
import { describeInBrowser } from './browser-suite.ts'

const library = path.dirname(createRequire(import.meta.url).resolve('maplibre-gl/dist/maplibre-gl.css'))

/** A page of somebody else: MapLibre GL JS with the tiles of OGC API as its only source. */
const pageOf = (filter: string): string => `<!doctype html>
<style>html, body, #map { margin: 0; height: 100% }</style>
<div id="map"></div>
<script type="module">
import { Map, setWorkerUrl } from './maplibre-gl.mjs'
setWorkerUrl(new URL('./maplibre-gl-worker.mjs', location.href).href)
const tiles = location.origin + '/ogc/collections/earthquakes/tiles/WebMercatorQuad/{z}/{y}/{x}?f=mvt${filter}'
const style = {
  version: 8,
  sources: { quakes: { type: 'vector', tiles: [tiles], maxzoom: 24 } },
  layers: [{ id: 'quakes', type: 'circle', source: 'quakes', 'source-layer': 'hits', paint: { 'circle-radius': 4 } }],
}
const map = new Map({ container: 'map', style, center: [-150, 61.3], zoom: 5, fadeDuration: 0 })
map.on('error', ({ error }) => { window.failed = String(error) })
map.once('idle', () => {
  const found = map.queryRenderedFeatures({ layers: ['quakes'] })
  const [[west, south], [east, north]] = map.getBounds().toArray()
  const drawn = found.filter(({ geometry: { coordinates: [x, y] } }) => x > west && x < east && y > south && y < north)
  window.result = { ids: [...new Set(drawn.map(({ properties }) => properties.id))].sort(), bbox: [west, south, east, north] }
})
</script>`

describeInBrowser('the tiles of OGC API', (world) => {
  test.each([
    ['all documents', ''],
    ['a filter', 'mag >= 2'],
  ])('MapLibre draws what is in the box of the map: %s', async (_, filter) => {
    const parameters = filter === '' ? '' : `&filter=${encodeURIComponent(filter)}`
    const { server, browser } = world()
    const page = await browser.newPage({ viewport: { width: 600, height: 400 } })
    await page.route(`${server.base}/somewhere/**`, async (route) => {
      const name = new URL(route.request().url()).pathname.replace('/somewhere/', '')
      if (name === '') await route.fulfill({ contentType: 'text/html', body: pageOf(parameters) })
      else await route.fulfill({ contentType: 'text/javascript', body: await readFile(path.join(library, name)) })
    })
    await page.goto(`${server.base}/somewhere/`)
    await page.waitForFunction('window.result ?? window.failed', undefined, { timeout: 60_000 })
    expect(await page.evaluate('window.failed')).toBeUndefined()
    const { ids, bbox } = (await page.evaluate('window.result')) as { ids: string[]; bbox: number[] }
    const url = `${server.base}/ogc/collections/earthquakes/items?limit=10000&bbox=${bbox.join(',')}${parameters}`
    const { features } = (await (await fetch(url)).json()) as { features: { id: string }[] }
    expect(ids.length).toBeGreaterThan(10)
    expect(ids).toEqual(features.map(({ id }) => id).sort())
    await page.close()
  })
})
