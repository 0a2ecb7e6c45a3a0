import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { PATIENT } from '../support/patience.ts'
import { seriousFindings } from './axe.ts'
import { describeInBrowser } from './browser-suite.ts'

describeInBrowser('the API page', (world) => {
  const open = async (hash = '', options: BrowserContextOptions = {}): Promise<Page & { complaints: string[] }> => {
    const { browser, server } = world()
    const page = Object.assign(await browser.newPage(options), { complaints: [] as string[] })
    page.setDefaultTimeout(PATIENT.timeout)
    page.on('pageerror', (error) => page.complaints.push(error.message))
    page.on('console', (message) => message.type() === 'error' && page.complaints.push(message.text()))
    page.on('request', (request) => {
      if (!request.url().startsWith(server.base)) page.complaints.push(request.url())
    })
    await page.goto(`${server.base}/docs${hash}`)
    await page.getByText('Examples about').waitFor()
    return page
  }

  test.each(['light', 'dark'] as const)('axe finds nothing serious in %s colours', async (colorScheme) => {
    const page = await open('#aggregatePost', { colorScheme })
    await page.locator('#aggregatePost').getByRole('button', { name: 'Send' }).click()
    await page.locator('#aggregatePost .answer pre').waitFor()
    await page.locator('#getTilePicture > summary').click()
    await page.locator('#getTilePicture form').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    expect(page.complaints).toEqual([])
    await page.close()
  })

  test('keys alone find an operation, open it and send its example', async () => {
    const page = await open()
    await page.locator('#countDocuments').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('explore _count')
    await expect.poll(() => page.locator('details.operation').count()).toBeLessThan(10)
    await page.locator('#countDocuments > summary').focus()
    await page.keyboard.press('Enter')
    const operation = page.locator('#countDocuments')
    await expect.poll(() => operation.locator('input[name=collection]').inputValue()).toBe('earthquakes')
    await operation.locator('textarea[name=f]').focus()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('mag:gte:5')
    await operation.getByRole('button', { name: 'Send' }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => operation.locator('.answer pre').textContent()).toContain('"totalnb": 39')
    expect(await operation.locator('.curl pre').textContent()).toContain('/explore/earthquakes/_count?f=mag:gte:5')
    expect(page.complaints).toEqual([])
    await page.close()
  })

  test('a stream is shown as it arrives, until it is stopped', async () => {
    const page = await open('#followDocuments')
    const operation = page.locator('#followDocuments')
    await operation.getByRole('button', { name: 'Send' }).click()
    await expect.poll(() => operation.locator('.answer pre').textContent()).toContain('event: ')
    await operation.getByRole('button', { name: 'Stop' }).click()
    await operation.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })
    expect(await operation.getByRole('button', { name: 'Send' }).isEnabled()).toBe(true)
    expect(page.complaints).toEqual([])
    await page.close()
  })

  test('names of the earlier revision are folded, and can be sent', async () => {
    const page = await open('#countDocuments')
    const operation = page.locator('#countDocuments')
    const names = operation.locator('.members code.name:visible')
    await expect.poll(() => names.allTextContents()).toEqual(expect.arrayContaining(['f', 'q', 'righthand']))
    expect(await names.allTextContents()).not.toContain('gwithin')
    await operation.locator('.content > details.deprecated > summary').click()
    expect(await names.allTextContents()).toContain('gwithin')
    await operation.locator('form details.deprecated > summary').click()
    await operation.locator('textarea[name=pwithin]').fill('-180,-90,180,90')
    await operation.getByRole('button', { name: 'Send' }).click()
    await expect.poll(() => operation.locator('.outcome').textContent()).toMatch(/^200 /)
    expect(await operation.locator('.curl pre').textContent()).toContain('pwithin=')
    await page.close()
  })

  test('members of bodies are folded below their object, deprecated ones apart', async () => {
    const page = await open('#aggregatePost')
    const body = page.locator('#aggregatePost .schema').first()
    await body.getByText('Members of aggregations').click()
    const names = body.locator('code.name:visible')
    await expect.poll(() => names.allTextContents()).toEqual(expect.arrayContaining(['aggregations', 'raw_geometries']))
    expect(await names.allTextContents()).not.toContain('fetch_geometry')
    await body.getByText('Deprecated members').first().click()
    expect(await names.allTextContents()).toContain('fetch_geometry')
    await page.close()
  })

  test('what changes data must be allowed first', async () => {
    const page = await open('#createIndex')
    const operation = page.locator('#createIndex')
    const send = operation.getByRole('button', { name: 'Send' })
    await send.waitFor()
    expect(await send.isDisabled()).toBe(true)
    await operation.getByRole('button', { name: 'Allow requests' }).click()
    await send.click()
    await expect.poll(() => operation.locator('.answer pre').textContent()).toContain('"acknowledged": true')
    await page.close()
  })

  test('a tile is shown as an image, and the page fits a phone', async () => {
    const page = await open('#getTilePicture', { viewport: { width: 390, height: 780 } })
    const operation = page.locator('#getTilePicture')
    await operation.getByRole('button', { name: 'Send' }).click()
    await operation.locator('.answer img').waitFor()
    expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    expect(page.complaints.filter((line) => !line.startsWith('blob:'))).toEqual([])
    await page.close()
  })
})
