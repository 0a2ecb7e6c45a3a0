import { expect, test } from 'vitest'
import { seriousFindings } from './axe.ts'
import { describeInBrowser } from './browser-suite.ts'
import { inView } from './explorer-page.ts'

const VIEW = '#/earthquakes?f=mag:gte:2&off-f=region:eq:Alaska&map=40,-110,3'

describeInBrowser('accessibility', (world) => {
  test.each(['light', 'dark'] as const)('axe finds nothing serious in %s colours', async (colorScheme) => {
    const explorer = await world().open(`${VIEW}&list=open`, { colorScheme })
    expect(await seriousFindings(explorer.page)).toEqual([])
    await explorer.page.locator('.chip.add').first().click()
    expect(await seriousFindings(explorer.page)).toEqual([])
    await explorer.close()
  })

  test('on a phone every view can be reached, all data fit into the map, and axe finds nothing serious', async () => {
    const { server, open } = world()
    const explorer = await open(VIEW, {
      viewport: { width: 390, height: 780 },
      isMobile: true,
      hasTouch: true,
    })
    const { page } = explorer
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
    expect(overflow).toBeLessThanOrEqual(0)
    await explorer.during(() => page.getByLabel('Zoom to the data').tap())
    const all = await fetch(`${server.base}/explore/earthquakes/_count?f=mag:gte:2`)
    const { totalnb } = (await all.json()) as { readonly totalnb: number }
    await expect.poll(() => inView(explorer)).toBe(totalnb)
    const views = page.getByLabel('Views')
    for (const [name, content] of [
      ['Figures', '.rail .total'],
      ['Time', '.timeline .brush'],
      ['List', 'tbody tr'],
    ] as const) {
      await views.getByText(name).tap()
      await page.locator(content).first().waitFor({ state: 'visible' })
      await explorer.settle()
      expect(await seriousFindings(explorer.page)).toEqual([])
    }
    await explorer.close()
  })

  test('keys alone choose a value, brush the timeline and open a document', async () => {
    const explorer = await world().open('#/earthquakes?rank=region&numbers=&list=open&map=40,-110,3')
    const { page } = explorer
    await page.getByRole('button', { name: /^Alaska/ }).focus()
    await explorer.during(() => page.keyboard.press('Enter'))
    expect(page.url()).toContain('region:eq:Alaska')
    await page.getByRole('slider', { name: /^Time/ }).focus()
    await explorer.during(() => page.keyboard.press('ArrowRight'))
    expect(page.url()).toContain('time:range')
    await explorer.during(() => page.keyboard.press('Escape'))
    expect(page.url()).not.toContain('time:range')
    await page.locator('.row-link').first().focus()
    await explorer.during(() => page.keyboard.press('Enter'))
    expect(page.url()).toContain('document=')
    await explorer.close()
  })
})
