import { expect, test } from 'vitest'
import { describeInBrowser } from './browser-suite.ts'
import { counted, hitsOf, inView, shown } from './explorer-page.ts'

describeInBrowser('the explorer', (world) => {
  test('shows the sample data at once: a map, a timeline, rankings, and what they say agrees', async () => {
    const explorer = await world().open()
    const { page } = explorer
    await expect.poll(() => page.title()).toBe('Earthquakes · Periplus')
    await expect.poll(() => counted(explorer)).toBe(1707)
    await expect.poll(() => inView(explorer)).toBe(1707)
    await expect.poll(() => shown(explorer)).toBe('cells')
    await expect.poll(() => page.locator('.ranked').count()).toBeGreaterThan(4)
    await expect.poll(() => page.locator('.timeline h2').textContent()).toContain('2018')
    expect(explorer.complaints).toEqual([])
    await explorer.close()
  })

  test.each([0, 0.8, 1, 1.7])('cells add up to the counter at zoom %d', async (zoom) => {
    // the world fits into a window as large as it is drawn
    const side = Math.ceil(512 * 2 ** zoom) + 2
    const explorer = await world().open(`#/earthquakes?map=0,0,${zoom}&show=cells`, {
      viewport: { width: side + 330, height: side + 220 },
    })
    const total = await counted(explorer)
    expect(total).toBe(1707)
    await expect.poll(() => inView(explorer)).toBe(total)
    await explorer.close()
  })

  test('shows documents where they are few, and cells where they are many', async () => {
    const explorer = await world().open('#/earthquakes?map=61.3,-150,8')
    const { page } = explorer
    await expect.poll(() => shown(explorer)).toBe('documents')
    await expect.poll(() => inView(explorer)).toBeGreaterThan(0)
    await page.getByText('Cells', { exact: true }).click()
    await expect.poll(() => shown(explorer)).toBe('cells')
    await explorer.close()
  })

  test('asks for tiles of what it moves to, and for nothing else', async () => {
    const explorer = await world().open('#/earthquakes?map=20,-100,3')
    const { page } = explorer
    const map = await page.locator('.map-canvas').boundingBox()
    const whileIdle = (): Promise<readonly string[]> => explorer.during(() => page.waitForTimeout(2_000))
    await expect.poll(whileIdle).toEqual([])
    const before = explorer.asked.length
    await page.mouse.move((map?.x ?? 0) + 500, (map?.y ?? 0) + 300)
    await page.mouse.down()
    await page.mouse.move((map?.x ?? 0) + 100, (map?.y ?? 0) + 300, { steps: 8 })
    await page.mouse.up()
    await expect.poll(() => explorer.asked.length).toBeGreaterThan(before)
    await expect.poll(whileIdle).toEqual([])
    expect(explorer.asked.slice(before).filter((path) => !path.includes('/_mvt/'))).toEqual([])
    expect(page.url()).not.toContain('map=20,-100,3')
    await explorer.close()
  })

  test('tells what is under the pointer, and opens a document that is clicked', async () => {
    // the strongest of the week, off Taiwan, in the middle of the map
    const [strongest] = await hitsOf(world().server.base, 'sort=-mag,id&size=1')
    const [lng, lat] = strongest?.md.centroid.coordinates ?? []
    const explorer = await world().open(`#/earthquakes?f=mag:gte:6.4&map=${lat},${lng},6&show=documents`)
    const { page } = explorer
    const map = await page.locator('.map-canvas').boundingBox()
    const [x, y] = [(map?.x ?? 0) + (map?.width ?? 0) / 2, (map?.y ?? 0) + (map?.height ?? 0) / 2]
    await expect
      .poll(async () => {
        await page.mouse.move(x + 20, y)
        await page.mouse.move(x, y)
        // Cells are shown until the fields of the tooltip are known.
        return (await page.locator('.tooltip').allTextContents()).join()
      })
      .toContain(String(strongest?.data.title))
    await page.mouse.click(x, y)
    await page.locator('.document .leaves div').first().waitFor()
    expect(page.url()).toContain(`document=${strongest?.md.id}`)
    expect(explorer.complaints).toEqual([])
    await explorer.close()
  })

  test('a link opens the same view, whatever the collection lacks', async () => {
    const explorer = await world().open('#/nothing-like-this?f=a:eq:1')
    expect(await explorer.page.locator('main').textContent()).toContain('Collection nothing-like-this does not exist')
    await explorer.close()
  })

  test('is served with a strict policy, under names that change with their contents', async () => {
    const { base } = world().server
    const page = await fetch(`${base}/`)
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("script-src 'self'")
    expect(policy).not.toContain('unsafe')
    const markup = await page.text()
    expect(markup).not.toMatch(/<script>|<style>| on\w+="| style="/)
    const [, script = ''] = /src="\.\/(explorer\/[^"]+\.js)"/.exec(markup) ?? []
    const asset = await fetch(`${base}/${script}`)
    expect(asset.headers.get('cache-control')).toContain('immutable')
    expect((await fetch(`${base}/explorer/nothing.js`)).status).toBe(404)
    expect((await fetch(`${base}/explorer/..%2Fstamp`)).status).toBe(404)
    expect(await (await fetch(`${base}/status-page`)).text()).toContain('The server is running')
  })
})

describeInBrowser(
  'the explorer of an empty server',
  (world) => {
    test('says how to load documents', async () => {
      const explorer = await world().open()
      expect(await explorer.page.locator('main').textContent()).toContain('npx periplus load')
      expect(explorer.complaints).toEqual([])
      await explorer.close()
    })
  },
  [],
)
