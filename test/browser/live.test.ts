import { beforeAll, expect, test } from 'vitest'
import { seriousFindings } from './axe.ts'
import { describeInBrowser } from './browser-suite.ts'
import { counted, inView, kindsOf } from './explorer-page.ts'

const FIELDS = { id: 'keyword', name: 'keyword', kind: 'keyword', seen: 'date', place: 'geo_point' }

const ship = (n: number) => ({
  id: `s${n}`,
  name: `Ship ${n}`,
  kind: n % 3 === 0 ? 'tug' : 'ferry',
  seen: new Date(Date.UTC(2024, 5, 1, 0, n)).toISOString(),
  place: `${40 + (n % 20) / 10},${5 + (n % 30) / 10}`,
})

describeInBrowser(
  'a live view',
  (world) => {
    const send = async (method: string, path: string, body: string, type = 'application/json'): Promise<void> => {
      const headers = { 'content-type': type }
      const response = await fetch(`${world().server.base}/${path}`, { method, headers, body })
      expect(response.ok, await response.text()).toBe(true)
    }
    const arrive = (...numbers: readonly number[]): Promise<void> => {
      const lines = numbers.map((n) => `{"index":{"_id":"s${n}"}}\n${JSON.stringify(ship(n))}\n`)
      return send('POST', 'index/ships/_bulk', lines.join(''), 'application/x-ndjson')
    }
    beforeAll(async () => {
      const properties = Object.fromEntries(Object.entries(FIELDS).map(([name, type]) => [name, { type }]))
      const paths = { id_path: 'id', geometry_path: 'place', centroid_path: 'place', timestamp_path: 'seen' }
      await send('PUT', 'index/ships', JSON.stringify({ mappings: { properties } }))
      await send('PUT', 'collections/ships', JSON.stringify({ index_name: 'ships', ...paths }))
      await arrive(...Array.from({ length: 200 }, (_, n) => n))
    })

    test('follows what arrives: the counter, the map, rankings and the list, and marks what is new', async () => {
      const explorer = await world().open('#/ships?map=41,6.5,6&rank=kind&numbers=&list=open&live=on')
      const { page } = explorer
      await page.locator('.live-switch[data-status=on]').waitFor()
      await expect.poll(() => inView(explorer)).toBe(200)
      const before = explorer.asked.length
      await arrive(500, 501, 502)
      await expect.poll(() => counted(explorer)).toBe(203)
      await expect.poll(() => page.locator('.new-mark').textContent()).toBe('+3')
      await expect.poll(() => inView(explorer)).toBe(203)
      await expect.poll(() => page.locator('tr[data-new=true]').count()).toBe(3)
      expect(await page.locator('.row-link').first().textContent()).toBe('Ship 502')
      await expect.poll(() => page.locator('.ranked').first().textContent()).toBe('ferry: 135')
      // one request of each widget, and tiles, whatever the number of documents
      await explorer.settle()
      const kinds = kindsOf(explorer.asked.slice(before)).filter((kind) => kind !== 'tile')
      expect(new Set(kinds)).toEqual(
        new Set(['_count', '_search', '_aggregate term:kind', '_aggregate datehistogram:interval-5minute']),
      )
      expect(await seriousFindings(page)).toEqual([])
      expect(explorer.complaints).toEqual([])
      await explorer.close()
    })

    test('stays as it is when it is switched off', async () => {
      const explorer = await world().open('#/ships?map=41,6.5,6&rank=kind&numbers=')
      const { page } = explorer
      const before = await counted(explorer)
      await page.locator('.live-switch').click()
      await page.locator('.live-switch[data-status=on]').waitFor()
      expect(page.url()).toContain('live=on')
      await arrive(510)
      await expect.poll(() => counted(explorer)).toBe(before + 1)
      await explorer.during(() => page.locator('.live-switch').click())
      expect(await explorer.during(() => arrive(511))).toEqual([])
      expect(await counted(explorer)).toBe(before + 1)
      await explorer.close()
    })
  },
  [],
)
