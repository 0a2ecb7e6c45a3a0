import { beforeAll, expect, test } from 'vitest'
import { describeInBrowser } from './browser-suite.ts'
import { counted } from './explorer-page.ts'
import { loadCollection } from './loaded-collection.ts'

const LONG = 'International Federation of the Observatories of the Northern Oceans, Section'

/** All at the same moment, with names that differ at the end, several values in a field, and exact numbers. */
const stations = Array.from({ length: 160 }, (_, n) => ({
  id: `s${n}`,
  station_id: 1194 + n,
  operator: `${LONG} ${n % 8}`,
  labels: Array.from({ length: 8 }, (_, k) => `label ${(n + k) % 12}`),
  a_measurement_with_a_name_that_is_much_too_long_for_the_column: 34.0980819 + n,
  seen: '2024-03-01T12:00:00Z',
  lat: 10 + n / 7,
  lon: 20 + n / 9,
}))

/** Squares whose value grows by powers, as areas of a map often do. */
const areas = Array.from({ length: 49 }, (_, n) => {
  const [west, south] = [10 + (n % 7), 10 + Math.floor(n / 7)]
  const ring = [
    [west, south],
    [west + 0.9, south],
    [west + 0.9, south + 0.9],
    [west, south + 0.9],
    [west, south],
  ]
  return { id: `a${n}`, people: Math.round(1.3 ** n), geometry: { type: 'Polygon', coordinates: [ring] } }
})

describeInBrowser(
  'what is shown of values',
  (world) => {
    beforeAll(async () => {
      const { base } = world().server
      await loadCollection(base, 'stations', stations)
      await loadCollection(base, 'areas', areas)
      await loadCollection(base, 'single', stations.slice(0, 1))
    })

    test('numbers of a document have all their digits, and numbers that are names are not grouped', async () => {
      const explorer = await world().open('#/stations?document=s3&rank=&numbers=&map=13,22,5')
      const { page } = explorer
      const leaf = (title: string) => page.locator('.leaves div', { has: page.locator(`dt[title=${title}]`) })
      const name = 'a_measurement_with_a_name_that_is_much_too_long_for_the_column'
      await expect.poll(() => leaf(name).locator('dd').textContent()).toBe('37.0980819')
      expect(await leaf('station_id').locator('dd').textContent()).toBe('1197')
      expect(explorer.complaints).toEqual([])
      await explorer.close()
    })

    test('a ranking of a field with several values counts no documents twice, and cuts names in the middle', async () => {
      const explorer = await world().open('#/stations?rank=operator,labels&numbers=&map=13,22,5')
      const { page } = explorer
      const labels = page.locator('.section', { hasText: 'Labels' })
      await expect.poll(() => labels.locator('.more').textContent()).toBe('More values')
      const names = page.locator('.section', { hasText: 'Operator' }).locator('.ranked .middle-cut')
      await expect.poll(() => names.count()).toBe(6)
      // the end is inside of the row, whatever of the beginning is cut off
      const ends = await names.evaluateAll((elements) =>
        elements.map((element) => {
          const [begin, end] = element.children
          const row = element.parentElement?.getBoundingClientRect()
          return {
            isCut: (begin?.scrollWidth ?? 0) > (begin?.clientWidth ?? 0),
            isInside: (end?.getBoundingClientRect().right ?? 0) <= (row?.right ?? 0),
            text: end?.textContent,
          }
        }),
      )
      expect(ends.every(({ isCut, isInside }) => isCut && isInside)).toBe(true)
      expect(new Set(ends.map(({ text }) => text)).size).toBe(6)
      await explorer.during(() => page.getByRole('button', { name: `${LONG} 3` }).click())
      await expect.poll(() => counted(explorer)).toBe(20)
      await explorer.close()
    })

    test('one document is said to be one, and a single moment is a text instead of bars', async () => {
      const explorer = await world().open('#/single?list=open&rank=&numbers=')
      const { page } = explorer
      await expect.poll(() => page.locator('.counter-line').textContent()).toContain('1document')
      await expect.poll(() => page.locator('.list h2').textContent()).toBe('1 document')
      expect(await page.locator('.timeline').textContent()).toContain('1 Mar 2024, 12:00')
      expect(await page.locator('.timeline').textContent()).toContain('All documents have this time')
      expect(await page.locator('.timeline .brush').count()).toBe(0)
      await explorer.close()
    })

    test('the list of widgets to add fits into its column, and all of it can be reached', async () => {
      const explorer = await world().open('#/stations?rank=&numbers=&map=13,22,5')
      const { page } = explorer
      await page.getByRole('button', { name: /^Add a widget/ }).click()
      const rail = await page.locator('.rail').boundingBox()
      const items = page.locator('.add-widget button')
      expect(await items.count()).toBeGreaterThan(3)
      for (const item of await items.all()) {
        await item.scrollIntoViewIfNeeded()
        const box = await item.boundingBox()
        expect(box?.x).toBeGreaterThanOrEqual(rail?.x ?? 0)
        expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual((rail?.x ?? 0) + (rail?.width ?? 0))
        expect(await item.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0)
      }
      await explorer.close()
    })

    test('areas are spread over all colours, however uneven their values are', async () => {
      const explorer = await world().open('#/areas?rank=&numbers=&metric=max:people&show=documents')
      const { page } = explorer
      await expect.poll(() => page.locator('.legend .step').count()).toBe(7)
      const starts = await page.locator('.legend .step small').allTextContents()
      // equal widths would begin the second class at 42,000, above all but six areas
      expect(Number(starts[1])).toBeLessThan(20)
      await explorer.close()
    })
  },
  [],
)
