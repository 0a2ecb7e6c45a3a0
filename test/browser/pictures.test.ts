import type { BrowserContextOptions } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeInBrowser } from './browser-suite.ts'
import { inView } from './explorer-page.ts'
import { differenceFromStored } from './stored-picture.ts'

interface Picture {
  readonly name: string
  readonly hash: string
  readonly options?: BrowserContextOptions
}

const phone: BrowserContextOptions = { viewport: { width: 390, height: 780 }, isMobile: true, hasTouch: true }

/** The main states of the page, as the documentation shows them. */
const pictures: readonly Picture[] = [
  { name: 'explorer-light', hash: '#/earthquakes?map=32,-60,1.35&rank=region,net&numbers=mag' },
  {
    name: 'explorer-dark',
    hash: '#/earthquakes?f=region:eq:Alaska&map=61,-152,4.3&metric=max:mag&rank=region&numbers=mag,depth&list=open',
    options: { colorScheme: 'dark', viewport: { width: 1440, height: 860 } },
  },
  { name: 'explorer-phone', hash: '#/earthquakes?f=mag:gte:4&map=5,118,2.4', options: phone },
]

describeInBrowser('pictures', (world) => {
  test.each(pictures)('$name looks as it did', async ({ name, hash, options = {} }) => {
    const explorer = await world().open(hash, { deviceScaleFactor: 1, ...options })
    await expect.poll(() => inView(explorer)).toBeGreaterThan(0)
    // names of countries fade in
    await explorer.page.waitForTimeout(1_500)
    await explorer.settle()
    expect(await differenceFromStored(name, await explorer.page.screenshot())).toBeUndefined()
    await explorer.close()
  })
})
