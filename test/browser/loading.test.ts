import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeInBrowser } from './browser-suite.ts'
import { counted, inView } from './explorer-page.ts'

/** Drops a file on the page, as from a file manager. */
async function drop(page: Page, name: string, content: string): Promise<void> {
  const transfer = await page.evaluateHandle(`(() => {
    const made = new DataTransfer()
    made.items.add(new File([${JSON.stringify(content)}], ${JSON.stringify(name)}))
    return made
  })()`)
  await page.dispatchEvent('.app', 'dragover', { dataTransfer: transfer })
  await page.getByText('Drop the file to load it').waitFor()
  await page.dispatchEvent('.app', 'drop', { dataTransfer: transfer })
}

const CSV = 'code,name,seen,lat,lon,other_lon\nA,Lyon,05/06/1992,45.7,4.8,5.8\nB,Turin,07/06/1992,45.1,7.7,8.7\n'

describeInBrowser(
  'a file dropped on the page of an empty server',
  (world) => {
    test('is previewed, corrected, loaded and shown', async () => {
      const explorer = await world().open()
      const { page } = explorer
      expect(await page.locator('main').textContent()).toContain('Drop a file of documents')
      await drop(page, 'towns.csv', CSV)
      const dialog = page.getByRole('dialog')
      // the order of day and month cannot be known, and is asked for
      await expect.poll(() => dialog.locator('.problem').textContent()).toContain('dateOrder=day-first')
      expect(await dialog.getByRole('button', { name: 'Load' }).isDisabled()).toBe(true)
      await dialog.getByLabel('Dates such as').selectOption('day-first')
      await expect.poll(() => dialog.locator('.load-notes').textContent()).toContain('Place: lon and lat.')
      expect(await dialog.locator('tbody tr').allTextContents()).toContain('namekeywordLyon')
      // a guess is corrected
      await dialog.getByLabel('Longitude').selectOption('other_lon')
      await dialog.getByLabel('Latitude').selectOption('lat')
      await expect.poll(() => dialog.locator('.load-notes').textContent()).toContain('Place: other_lon and lat.')
      await dialog.getByRole('button', { name: 'Load' }).click()
      await expect.poll(() => page.url()).toContain('#/towns')
      await expect.poll(() => counted(explorer)).toBe(2)
      await expect.poll(() => inView(explorer)).toBe(2)
      const { hits } = (await (await fetch(`${world().server.base}/explore/towns/_search?sort=code`)).json()) as {
        readonly hits: readonly { readonly md: { readonly timestamp: number }; readonly data: unknown }[]
      }
      expect(hits[0]?.md.timestamp).toBe(Date.UTC(1992, 5, 5))
      expect(hits[0]?.data).toMatchObject({ code: 'A', centroid: '45.7,5.8' })
      expect(explorer.complaints.filter((text) => !text.includes('400'))).toEqual([])
      await explorer.close()
    })

    test('says what it rejected, and asks about a name that is taken', async () => {
      const explorer = await world().open()
      const { page } = explorer
      const good = Array.from({ length: 9 }, (_, n) => `${n},${n},${n}\n`).join('')
      await drop(page, 'points.csv', `id,lat,lon\n${good}9,95,1\n`)
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name').fill('dots')
      await dialog.getByLabel('Name').press('Tab')
      const load = dialog.getByRole('button', { name: 'Load' })
      await expect.poll(() => dialog.locator('form').getAttribute('data-loading')).toBe('false')
      await load.click()
      await expect.poll(() => dialog.textContent()).toContain('9 documents loaded, 1 rejected.')
      expect(await dialog.locator('.rejects').textContent()).toContain('Line 11')
      await dialog.getByRole('button', { name: 'Show on the map' }).click()
      await expect.poll(() => counted(explorer)).toBe(9)

      await drop(page, 'dots.csv', 'id,lat,lon\n0,1,1\n20,2,2\n')
      await expect.poll(() => dialog.locator('.problem').textContent()).toContain('Index dots exists with 9 documents')
      await dialog.getByRole('button', { name: 'Add to it' }).click()
      await expect.poll(() => load.isEnabled()).toBe(true)
      await load.click()
      await expect.poll(() => counted(explorer)).toBe(10)
      await explorer.close()
    })

    test('a filter on a field that does not exist is pointed out', async () => {
      const explorer = await world().open('#/dots?f=latt:ne:5')
      const notice = explorer.page.locator('.notices')
      await expect.poll(() => notice.textContent()).toBe('no field latt; did you mean lat?')
      await explorer.page
        .getByRole('button', { name: /^Remove/ })
        .first()
        .click()
      await expect.poll(() => notice.count()).toBe(0)
      await explorer.close()
    })
  },
  [],
)
