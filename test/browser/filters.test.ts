import { expect, test } from 'vitest'
import { describeInBrowser } from './browser-suite.ts'
import { brush, counted, type ExplorerPage, hitsOf, kindsOf } from './explorer-page.ts'

/** What the server counts, asked without the page. */
async function countOf(base: string, query: string): Promise<number> {
  const response = await fetch(`${base}/explore/earthquakes/_count?${query}`)
  return ((await response.json()) as { readonly totalnb: number }).totalnb
}

const filtersIn = ({ page }: ExplorerPage): readonly string[] =>
  [...new URLSearchParams(page.url().split('?')[1]).entries()]
    .filter(([name]) => name.endsWith('f'))
    .map(([, text]) => text)

/** One request for every widget that is seen, however many tiles the map needs. */
function expectFew(asked: readonly string[]): void {
  const kinds = kindsOf(asked).filter((kind) => kind !== 'tile')
  expect(kinds).toEqual([...new Set(kinds)])
}

describeInBrowser('filters', (world) => {
  test('come from brushes and rankings, one request per widget, and go with the back button', async () => {
    const { server, open } = world()
    const explorer = await open('#/earthquakes?map=40,-110,3&rank=region&numbers=mag')
    const { page } = explorer

    const brushed = await explorer.during(() => brush(explorer, '.timeline', 0.3, 0.6))
    expectFew(brushed)
    expect(kindsOf(brushed)).toContain('_aggregate term:region')
    // what the timeline counts has not changed
    expect(kindsOf(brushed)).not.toContain('_aggregate datehistogram:interval-2hour')
    const [time = ''] = filtersIn(explorer)
    expect(time).toMatch(/^time:range:\[\d+<\d+\[$/)
    await expect.poll(() => counted(explorer)).toBe(await countOf(server.base, `f=${encodeURIComponent(time)}`))

    // a selection of the browser would be dragged next time, in place of the brush
    expect(await page.evaluate('getSelection().type')).toBe('None')

    const ranked = await explorer.during(() => page.getByRole('button', { name: /^Alaska/ }).click())
    expectFew(ranked)
    await expect.poll(() => filtersIn(explorer)).toEqual([time, 'region:eq:Alaska'])
    const both = await counted(explorer)
    expect(both).toBe(await countOf(server.base, `f=${encodeURIComponent(time)}&f=region:eq:Alaska`))

    await explorer.during(() => page.getByLabel('Find values of Region').fill('nev'))
    expectFew(await explorer.during(() => page.locator('.value-search .suggestions button').first().click()))
    await expect.poll(() => filtersIn(explorer)).toEqual([time, 'region:eq:Alaska,Nevada'])

    await explorer.during(() => page.goBack())
    await expect.poll(() => counted(explorer)).toBe(both)
    await explorer.during(() => page.goForward())
    await expect.poll(() => filtersIn(explorer)).toEqual([time, 'region:eq:Alaska,Nevada'])

    const shared = await open(page.url().slice(server.base.length + 1))
    await expect.poll(() => counted(shared)).toBe(await counted(explorer))
    expect(shared.complaints).toEqual([])
    await shared.close()

    // what else is selected is not dragged in place of the brush either
    await page.evaluate('getSelection().selectAllChildren(document.body)')
    await explorer.during(() => brush(explorer, '.timeline', 0.7, 0.9))
    await expect.poll(() => filtersIn(explorer)[0]).not.toBe(time)
    await explorer.during(() => brush(explorer, '.histogram', 0.3, 0.6))
    await expect.poll(() => filtersIn(explorer)[2]).toMatch(/^mag:range:/)
    await explorer.close()
  })

  test('are chips that can be negated, turned off, edited as text and removed', async () => {
    const { server, open } = world()
    const explorer = await open('#/earthquakes?f=mag:gte:5&map=40,-110,3&rank=&numbers=')
    const { page } = explorer
    const strong = await counted(explorer)
    await explorer.during(() => page.getByLabel('Negate filter Mag ≥ 5').click())
    await expect.poll(() => filtersIn(explorer)).toEqual(['mag:lt:5'])
    await expect.poll(() => counted(explorer)).toBe(await countOf(server.base, 'f=mag:lt:5'))

    await explorer.during(() => page.getByLabel('Turn filter Mag < 5 off').click())
    await expect.poll(() => counted(explorer)).toBe(1707)
    await explorer.during(() => page.getByLabel('Turn filter Mag < 5 on').click())

    await page.getByLabel('Edit filter Mag < 5').click()
    const text = page.locator('.modal textarea')
    await explorer.during(() => text.fill('mag:gte:strong'))
    // the words of the server
    const answer = await fetch(`${server.base}/explore/earthquakes/_count?f=mag:gte:strong`)
    const { message } = (await answer.json()) as { readonly message: string }
    await expect.poll(() => page.locator('#filter-check').textContent()).toBe(message)
    await expect.poll(() => page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await explorer.during(() => text.fill('mag:gte:5'))
    await expect.poll(() => page.locator('#filter-check').textContent()).toContain(String(strong))
    await explorer.during(() => page.getByRole('button', { name: 'Save' }).click())
    await expect.poll(() => counted(explorer)).toBe(strong)

    await explorer.during(() => page.getByLabel('Remove filter Mag ≥ 5').click())
    await expect.poll(() => counted(explorer)).toBe(1707)
    await expect.poll(() => filtersIn(explorer)).toEqual([])
    // the browser complains of the answer 400 by itself
    expect(explorer.complaints.filter((line) => !line.includes('400'))).toEqual([])
    await explorer.close()
  })

  test('come from words, boxes and polygons', async () => {
    const { server, open } = world()
    const explorer = await open('#/earthquakes?map=40,-110,3&rank=&numbers=')
    const { page } = explorer
    await explorer.during(() => page.getByLabel('Full-text search').fill('alas'))
    await explorer.during(() =>
      page
        .getByRole('option', { name: /Region/ })
        .first()
        .click(),
    )
    await expect.poll(() => filtersIn(explorer)).toEqual(['region:eq:Alaska'])
    await page.getByLabel('Full-text search').fill('anchor*')
    await explorer.during(() => page.keyboard.press('Enter'))
    await expect.poll(() => counted(explorer)).toBe(await countOf(server.base, 'f=region:eq:Alaska&q=anchor*'))
    await explorer.during(() => page.getByRole('button', { name: 'Clear all' }).click())

    const map = await page.locator('.map-canvas').boundingBox()
    const at = (x: number, y: number) => [(map?.x ?? 0) + x, (map?.y ?? 0) + y] as const
    await page.getByLabel('Filter by a box').click()
    await page.getByText('Drag a box over the map').waitFor()
    await page.mouse.move(...at(200, 150))
    await page.mouse.down()
    await page.mouse.move(...at(500, 400), { steps: 5 })
    await explorer.during(() => page.mouse.up())
    const [box = ''] = filtersIn(explorer)
    expect(box).toMatch(/^centroid:within:-?[\d.]+,-?[\d.]+,-?[\d.]+,-?[\d.]+$/)
    await expect.poll(() => counted(explorer)).toBe(await countOf(server.base, `f=${encodeURIComponent(box)}`))

    await page.getByLabel('Filter by a polygon').click()
    await page.getByText('Click the corners').waitFor()
    for (const [x, y] of [
      [220, 160],
      [480, 180],
      [450, 380],
    ] as const)
      await page.mouse.click(...at(x, y))
    await explorer.during(() => page.keyboard.press('Enter'))
    const [, polygon = ''] = filtersIn(explorer)
    expect(polygon).toMatch(/^centroid:within:POLYGON\(\(/)
    const query = [box, polygon].map((f) => `f=${encodeURIComponent(f)}`).join('&')
    await expect.poll(() => counted(explorer)).toBe(await countOf(server.base, query))
    await expect.poll(() => counted(explorer)).toBeGreaterThan(0)
    expect(explorer.complaints).toEqual([])
    await explorer.close()
  })

  test('that leave nothing are named', async () => {
    const explorer = await world().open('#/earthquakes?f=mag:gte:9&f=region:eq:Alaska&rank=&numbers=&map=40,-110,3')
    const { page } = explorer
    const said = page.locator('.empty-result')
    expect(await said.textContent()).toContain('Nothing matches')
    expect(await said.textContent()).toContain('Without Mag ≥ 9: 311')
    expect(await said.textContent()).toContain('Without Region is Alaska: still nothing')
    await explorer.during(() => said.getByRole('button', { name: 'Remove it' }).click())
    await expect.poll(() => counted(explorer)).toBe(311)
    await explorer.close()
  })

  test('that the server cannot answer are told in place, with a way to try again', async () => {
    const explorer = await world().open('#/earthquakes?rank=region&numbers=&map=40,-110,3')
    const { page } = explorer
    let isBroken = true
    await page.route(/_aggregate\?agg=term/, (route) =>
      isBroken
        ? route.fulfill({
            status: 503,
            contentType: 'application/json',
            body: '{"status":503,"message":"The engine is unavailable; try again later","error":"ENGINE_UNAVAILABLE"}',
          })
        : route.continue(),
    )
    await explorer.during(() => page.getByLabel('Refresh').click())
    const section = page.locator('.section', { hasText: 'Region' })
    expect(await section.getByRole('alert').textContent()).toContain('The engine is unavailable')
    await expect.poll(() => counted(explorer)).toBe(1707)
    isBroken = false
    const asked = await explorer.during(() => section.getByRole('button', { name: 'Try again' }).click())
    expect(kindsOf(asked)).toEqual(['_aggregate term:region'])
    expect(await section.locator('.ranked').count()).toBeGreaterThan(3)
    await explorer.close()
  })

  test('a metric colours cells and documents and orders rankings; play moves the selection', async () => {
    const { server, open } = world()
    const explorer = await open('#/earthquakes?rank=region&numbers=&map=40,-110,3&metric=max:mag')
    const { page } = explorer
    const choose = (figure: string) => page.locator('.metric select').first().selectOption(figure)
    const scale = () => page.locator('.legend .scale').getAttribute('aria-label')
    const note = () => page.locator('.legend-text').textContent()

    // an address says the same as a choice
    await expect.poll(scale).toMatch(/^max of Mag: from/)
    const opened = await scale()
    await explorer.during(() => choose('count'))
    await expect.poll(scale).toMatch(/^Documents per cell: from 1 to \d{2,}$/)
    const asked = await explorer.during(() => choose('max'))
    expectFew(asked)
    await expect.poll(scale).toBe(opened)
    const isFigure = (path: string): boolean => path.includes('_mvt') && path.includes('collect_fct-max')
    await expect.poll(() => explorer.asked.some(isFigure)).toBe(true)
    await expect.poll(() => page.locator('.ranked-value').first().textContent()).toMatch(/^\d\.\d+$/)

    // a document has the value of its field, whatever is made of many
    await explorer.during(() => choose('sum'))
    await explorer.during(() => page.getByText('Documents', { exact: true }).click())
    await expect.poll(() => page.locator('.legend-title').allTextContents()).toEqual(['Mag'])
    await expect.poll(scale).toMatch(/^Mag: from/)
    const [strongest] = await hitsOf(server.base, 'sort=-mag,id&size=1')
    const [least = '', most = ''] = (await scale())?.match(/-?[\d.]+/g) ?? []
    expect(Number(most)).toBeGreaterThan(Number(least))
    expect(Number(most)).toBeLessThanOrEqual(Number(strongest?.data.mag))
    await expect.poll(note).toContain('each one shown')

    // tiles that leave documents out say so; there is no scale of what no single document has
    await page.route(/_mvt\/.*layers=hits/, (route) =>
      route.continue({ url: route.request().url().replace('size=2000', 'size=5') }),
    )
    await choose('cardinality')
    await explorer.during(() => page.getByLabel('Refresh').click())
    await expect.poll(note).toContain('only a part shown')
    await expect.poll(() => page.locator('.legend :is(.scale, .legend-title)').count()).toBe(0)

    await choose('count')
    await explorer.during(() => brush(explorer, '.timeline', 0.1, 0.3))
    const [before] = filtersIn(explorer)
    await page.getByLabel('Play', { exact: true }).click()
    await expect.poll(() => filtersIn(explorer)[0]).not.toBe(before)
    await page.getByLabel('Pause').click()
    await explorer.settle()
    expect(explorer.complaints).toEqual([])
    await explorer.close()
  })
})
