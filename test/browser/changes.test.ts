import { mkdtemp, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ServerProcess, startServerProcess } from '../support/server-process.ts'
import { browserProgram } from './browser-program.ts'
import { launchChromium } from './chromium.ts'
import { counted, hitsOf, openPage } from './explorer-page.ts'

async function send(
  server: ServerProcess,
  path: string,
  method: string,
  body: string,
  type = 'application/json',
): Promise<void> {
  const response = await fetch(`${server.base}${path}`, { method, body, headers: { 'content-type': type } })
  expect(response.ok, await response.text()).toBe(true)
}

describe.skipIf(browserProgram === '')('changes', () => {
  let server: ServerProcess
  let browser: Browser
  let receiver: Server
  let callback = ''

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      request.resume()
      request.on('end', () => response.end())
    })
    await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', () => listening()))
    callback = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
    const directory = await mkdtemp(join(tmpdir(), 'periplus-changes-'))
    await writeFile(join(directory, 'periplus.yaml'), `egress:\n  allow: ['${new URL(callback).origin}']\n`)
    server = await startServerProcess({ directory, flags: ['--demo', '--log-level', 'warn'] })
    const reference = (await (await fetch(`${server.base}/collections/earthquakes`)).json()) as {
      readonly params: object
    }
    await send(
      server,
      '/collections/earthquakes',
      'PUT',
      JSON.stringify({ ...reference.params, taggable_fields: 'status,labels' }),
    )
    browser = await launchChromium(browserProgram)
  })

  afterAll(async () => {
    await browser.close()
    receiver.close()
    await server.stop()
    await server.removeData()
  })

  test('what the filters select is tagged, and seen to be', async () => {
    const explorer = await openPage(browser, `${server.base}/#/earthquakes?f=mag:gte:5&rank=status&numbers=&map=20,0,1`)
    const { page } = explorer
    const total = await counted(explorer)
    await page.getByLabel('Tag documents').click()
    await page.locator('.modal').getByLabel('Value').fill('looked at')
    await page.getByRole('button', { name: `Tag ${total} documents` }).click()
    await page.getByText(`Done: ${total} documents`).waitFor()
    await expect.poll(() => page.locator('.modal .log').textContent()).toContain('status looked at')
    await page.locator('.modal').getByLabel('Close').click()
    await expect.poll(() => page.locator('.ranking').textContent()).toContain('looked at')
    expect(explorer.complaints).toEqual([])
    await explorer.close()
  })

  test('what is ticked in the list is tagged, and nothing else', async () => {
    const explorer = await openPage(
      browser,
      `${server.base}/#/earthquakes?list=open&columns=id&sort=mag&rank=&numbers=&map=20,0,1`,
    )
    const { page } = explorer
    const weakest = (await hitsOf(server.base, 'sort=mag,id&size=3')).map(({ md }) => md.id)
    for (const n of [0, 2]) await page.getByLabel(`Tick ${weakest[n]}`).check()
    await page.getByText('2 ticked').waitFor()
    // a box is no way into a document
    expect(page.url()).not.toContain('document=')
    await page.getByLabel('Tag documents').click()
    // a field that no document has yet
    await page.locator('.modal').getByLabel('Field').selectOption('labels')
    await page.locator('.modal').getByLabel('Value').fill('by hand')
    await page.getByRole('button', { name: 'Tag 2 documents' }).click()
    await page.getByText('Done: 2 documents').waitFor()
    await page.locator('.modal').getByLabel('Close').click()
    const tagged = await hitsOf(server.base, `f=${encodeURIComponent('labels:eq:by hand')}&sort=mag,id`)
    expect(tagged.map(({ md }) => md.id)).toEqual([weakest[0], weakest[2]])

    await explorer.during(() => page.getByRole('button', { name: 'Show only these' }).click())
    await expect.poll(() => counted(explorer)).toBe(2)
    await page.getByRole('button', { name: 'Untick all' }).click()
    await expect.poll(() => page.locator('tbody input:checked').count()).toBe(0)
    expect(explorer.complaints).toEqual([])
    await explorer.close()
  })

  test('what the filters select is subscribed to, and its deliveries are shown', async () => {
    const explorer = await openPage(browser, `${server.base}/#/earthquakes?f=mag:gte:6&rank=&numbers=&map=20,0,1`)
    const { page } = explorer
    await page.getByLabel('Subscriptions').click()
    await page.getByLabel('Title').fill('Strong ones')
    await page.getByLabel('Callback URL').fill(callback)
    await page.getByLabel('Your user name').fill('ann')
    await page.getByRole('button', { name: 'Subscribe' }).click()
    await page.getByText('Created. A test message was delivered.').waitFor()
    await page.getByRole('button', { name: 'Strong ones', exact: true }).click()
    await expect.poll(() => page.locator('.deliveries').textContent()).toContain('✓ subscription.test')

    const [strong] = await hitsOf(server.base, 'f=mag:gte:6&size=1')
    const lines = [{ index: { _id: strong?.md.id } }, { ...strong?.data, mag: 9 }].map((line) => JSON.stringify(line))
    await send(server, '/index/earthquakes/_bulk', 'POST', `${lines.join('\n')}\n`, 'application/x-ndjson')
    await expect
      .poll(
        async () => {
          await page.getByRole('button', { name: 'Reload' }).click()
          await explorer.settle()
          return page.locator('.deliveries').textContent()
        },
        { interval: 500 },
      )
      .toContain(`✓ hit.update ${strong?.md.id}`)
    expect(explorer.complaints).toEqual([])
    await explorer.close()
  })

  test('a callback that may not be called is told, and another collection closes the dialog', async () => {
    const explorer = await openPage(browser, `${server.base}/#/earthquakes?rank=&numbers=&map=20,0,1`)
    const { page } = explorer
    await page.getByLabel('Subscriptions').click()
    await page.getByLabel('Callback URL').fill('http://10.1.2.3/hook')
    await page.getByLabel('Your user name').fill('ann')
    await page.getByRole('button', { name: 'Subscribe' }).click()
    const alert = page.locator('.modal').getByRole('alert')
    await expect.poll(() => alert.textContent()).toContain('this server may not call the address')
    expect(await alert.textContent()).toContain('egress.allow')
    await page.evaluate("location.hash = '#/another'")
    await expect.poll(() => page.locator('.modal').count()).toBe(0)
    expect(explorer.complaints).toEqual([])
    await explorer.close()
  })
})
