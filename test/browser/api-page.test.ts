import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { PATIENT } from '../support/patience.ts'
import { describeInBrowser } from './browser-suite.ts'

describeInBrowser('the API page', (world) => {
  const open = async (complaints: string[] = []): Promise<Page> => {
    const { browser, server } = world()
    const page = await browser.newPage()
    page.setDefaultTimeout(PATIENT.timeout)
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    await page.goto(`${server.base}/docs`)
    return page
  }

  test('names of the earlier revision are folded', async () => {
    const complaints: string[] = []
    const page = await open(complaints)
    const operation = page.locator('details[id="get/explore/{collection}/_count"]')
    await operation.locator('summary').first().click()
    const folded = operation.locator('details.deprecated')
    await expect.poll(() => folded.count()).toBe(2)
    const names = operation.locator('table:visible tr td:first-child')
    expect(await names.allTextContents()).toEqual(expect.arrayContaining(['f', 'q', 'righthand']))
    expect(await names.allTextContents()).not.toContain('gwithin')
    await folded.first().locator('summary').click()
    expect(await names.allTextContents()).toContain('gwithin')

    // Those of the form can be sent.
    await folded.last().locator('summary').click()
    await operation.locator('input[name=collection]').fill('earthquakes')
    await operation.locator('textarea[name=pwithin]').fill('-180,-90,180,90')
    await operation.locator('button').click()
    await expect.poll(() => operation.locator('.outcome').textContent()).toMatch(/^200 .*pwithin=/)
    expect(complaints).toEqual([])
    await page.close()
  })

  test('deprecated members of bodies are folded', async () => {
    const page = await open()
    const operation = page.locator('details[id="post/explore/{collection}/_aggregate"]')
    await operation.locator('summary').first().click()
    const schema = operation.locator('pre').first()
    await expect.poll(() => schema.textContent()).toContain('raw_geometries?')
    for (const name of ['fetch_geometry', 'gwithin']) expect(await schema.textContent()).not.toContain(name)
    const folded = operation.locator('details.deprecated').first()
    expect(await folded.getAttribute('open')).toBeNull()
    for (const name of ['fetch_geometry', 'gwithin']) expect(await folded.textContent()).toContain(`${name}?`)
    await page.close()
  })
})
