import { beforeAll, expect, test } from 'vitest'
import { seriousFindings } from './axe.ts'
import { describeInBrowser } from './browser-suite.ts'
import { kindsOf } from './explorer-page.ts'
import { loadCollection } from './loaded-collection.ts'

const KINDS = ['well', 'spring', 'river gauge', 'lake gauge']

/** With all that says little: identifiers, coordinates, links, long remarks and constants. */
const stations = Array.from({ length: 300 }, (_, n) => ({
  id: `s${n}`,
  station_uuid: `550e8400-e29b-41d4-a716-4466554${10_000 + n}`,
  number: 7_000 + n,
  page: `https://example.org/stations/${n}`,
  remark: `What is to be said of the station with the number ${n}, at some length`,
  name: `Station ${n}`,
  network: 'national',
  status: n % 20 === 0 ? 'closed' : 'active',
  kind: KINDS[n % 4],
  operator: `Operator ${n % 30}`,
  depth: Math.round(10 * Math.sqrt(n)) / 10,
  seen: new Date(Date.UTC(2024, 0, 1 + n)).toISOString(),
  lat: 40 + n / 70,
  lon: 2 + n / 90,
}))

const EMPTY = { id: 'keyword', time: 'date', place: 'geo_point', kind: 'keyword' }

async function createEmpty(base: string): Promise<void> {
  const properties = Object.fromEntries(Object.entries(EMPTY).map(([name, type]) => [name, { type }]))
  const paths = { id_path: 'id', geometry_path: 'place', centroid_path: 'place', timestamp_path: 'time' }
  for (const [path, body] of [
    ['index/nothing', { mappings: { properties } }],
    ['collections/nothing', { index_name: 'nothing', ...paths }],
  ] as const) {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${base}/${path}`, { method: 'PUT', headers, body: JSON.stringify(body) })
    expect(response.ok, await response.text()).toBe(true)
  }
}

describeInBrowser(
  'the first look',
  (world) => {
    beforeAll(async () => {
      const { base } = world().server
      await loadCollection(base, 'stations', stations)
      await createEmpty(base)
    })

    test('has widgets, columns and titles that tell something, chosen with two requests', async () => {
      const explorer = await world().open('#/stations?map=42,4,4&list=open')
      const { page } = explorer
      await expect.poll(() => page.locator('.section h2').allTextContents()).toEqual(['Operator', 'Kind', 'Depth'])
      const headings = page.locator('thead th:not(.tick)')
      expect(await headings.allTextContents()).toEqual(['Name', 'Depth', 'Operator', 'Kind', 'Seen'])
      const choosing = explorer.asked.filter((path) => /size=60&|interval-1year/.test(path))
      expect(kindsOf(choosing)).toEqual(['_search', '_aggregate datehistogram:interval-1year'])
      await page.locator('.row-link').first().click()
      await expect.poll(() => page.locator('.document h2').textContent()).toBe('Station 299')
      expect(explorer.complaints).toEqual([])
      await explorer.close()
    })

    test('says that it is loading, not that nothing is in view', async () => {
      const explorer = await world().open('#/stations?map=42,4,4')
      const { page } = explorer
      let go: () => void = () => undefined
      const held = new Promise<void>((resolve) => {
        go = resolve
      })
      await page.route('**/_mvt/**', async (route) => {
        await held
        await route.continue()
      })
      await page.reload()
      await page.locator('.timeline .brush').waitFor()
      expect(await page.locator('.in-view').textContent()).toBe('Loading…')
      go()
      await expect.poll(() => page.locator('.in-view').textContent()).toBe('300')
      await explorer.close()
    })

    test('of a collection without documents says how to load some', async () => {
      const explorer = await world().open('#/nothing')
      const { page } = explorer
      const told = page.locator('.empty-collection')
      await expect.poll(() => told.textContent()).toContain('npx periplus load FILE --index nothing')
      expect(await told.getByText('Load a file').count()).toBe(1)
      expect(await page.locator('.section').count()).toBe(0)
      expect(await seriousFindings(page)).toEqual([])
      expect(explorer.complaints).toEqual([])
      await explorer.close()
    })
  },
  [],
)
