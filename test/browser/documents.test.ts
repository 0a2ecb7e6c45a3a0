import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { describeInBrowser } from './browser-suite.ts'
import { counted, type ExplorerPage, hitsOf, inView, shown } from './explorer-page.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..', '..')

const idsShown = async ({ page }: ExplorerPage): Promise<readonly string[]> =>
  page.locator('tbody .row-link').allTextContents()

const copied = ({ page }: ExplorerPage): Promise<string> => page.evaluate('navigator.clipboard.readText()')

describeInBrowser('documents', (world) => {
  test('are listed page after page in the chosen order, with the chosen columns', async () => {
    const { server, open } = world()
    const explorer = await open('#/earthquakes?list=open&columns=id,mag&map=40,-110,3&rank=&numbers=')
    const { page } = explorer
    for (let round = 0; round < 30 && (await page.locator('tbody tr').count()) < 500; round++) {
      await explorer.during(() => page.locator('tbody tr').last().scrollIntoViewIfNeeded())
    }
    const expected = await hitsOf(server.base, 'sort=-time,id&size=500')
    const ids = await idsShown(explorer)
    expect(ids.length).toBeGreaterThanOrEqual(500)
    expect(ids.slice(0, 500)).toEqual(expected.map(({ md }) => md.id))

    const sorted = await explorer.during(() => page.getByRole('button', { name: 'Mag', exact: true }).last().click())
    expect(sorted.filter((path) => path.includes('_search'))).toHaveLength(1)
    expect(page.url()).toContain('sort=-mag')
    const [strongest] = await hitsOf(server.base, 'sort=-mag,id&size=1')
    expect((await idsShown(explorer))[0]).toBe(strongest?.md.id)

    await page.getByRole('button', { name: 'Columns' }).click()
    await explorer.during(() => page.getByRole('checkbox', { name: /^Region/ }).check())
    expect(page.url()).toContain('columns=id,mag,region')
    await page.keyboard.press('Escape')

    await explorer.during(() => page.locator('tbody tr').first().click())
    const whole = await page.locator('.leaves').textContent()
    for (const name of ['Mag', 'Place', 'Tsunami', 'Url']) expect(whole).toContain(name)
    expect(page.url()).toContain(`document=${strongest?.md.id}`)
    await explorer.during(() => page.getByLabel('Show on the map').click())
    await explorer.during(() => page.getByLabel('Back to the list').click())
    expect(page.url()).not.toContain('document=')
    expect(explorer.complaints).toEqual([])
    await explorer.close()
  })

  test('are exported as files that hold what matches', async () => {
    const explorer = await world().open('#/earthquakes?f=mag:gte:4.5&map=40,-110,3&rank=&numbers=')
    const { page } = explorer
    const total = await counted(explorer)
    await page.getByRole('button', { name: 'Export' }).click()
    const save = async (name: string | RegExp): Promise<Buffer> => {
      const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()])
      await page.getByText(`${file.suggestedFilename()} is saved`).waitFor()
      return readFile(await file.path())
    }
    const features = JSON.parse((await save('GeoJSON')).toString('utf8')) as {
      readonly type: string
      readonly features: readonly unknown[]
    }
    expect(features.type).toBe('FeatureCollection')
    expect(features.features).toHaveLength(total)
    for (const [name, isGuarded] of [
      [/^CSV ?\.csv/, true],
      [/^CSV, raw/, false],
    ] as const) {
      const asked = explorer.asked.length
      const lines = (await save(name)).toString('utf8').trimEnd().split('\n')
      expect(lines).toHaveLength(total + 1)
      const request = explorer.asked.slice(asked).find((path) => path.includes('format=csv'))
      expect(request?.includes('spreadsheet=true')).toBe(isGuarded)
    }
    expect((await save('Shapefile')).subarray(0, 2).toString('latin1')).toBe('PK')
    expect((await save('GeoParquet')).subarray(0, 4).toString('latin1')).toBe('PAR1')
    expect((await save('FlatGeobuf')).subarray(0, 3).toString('latin1')).toBe('fgb')
    expect(explorer.complaints).toEqual([])
    await explorer.close()
  })

  test('that were loaded from a file are there at once', async () => {
    const { server, open } = world()
    const buoys = join(root, 'examples', 'buoys.csv')
    const load = ['load', buoys, '--index', 'buoys', '--collection', 'buoys', '--data', server.directory]
    const node = ['--disable-warning=ExperimentalWarning', join(root, 'src', 'cli', 'main.ts')]
    await run(process.execPath, [...node, ...load], { cwd: server.directory })
    const explorer = await open('#/earthquakes?map=40,-110,3&rank=&numbers=')
    const { page } = explorer
    await explorer.during(() => page.getByLabel(/^Collection/).click())
    await explorer.during(() => page.getByRole('button', { name: /^buoys/ }).click())
    await expect.poll(() => shown(explorer)).toBe('documents')
    await expect.poll(() => inView(explorer)).toBe(await counted(explorer))
    await expect.poll(() => counted(explorer)).toBeGreaterThan(3)
    expect(page.url()).toContain('#/buoys')
    expect(explorer.complaints).toEqual([])
    await explorer.close()
  })

  test('can be asked for with the command a widget gives', async () => {
    const explorer = await world().open('#/earthquakes?f=mag:range:[4.5<6[&map=40,-110,3&rank=region&numbers=')
    const { page } = explorer
    await page.locator('.counter').getByLabel('Copy as curl').click()
    const { stdout } = await run('bash', ['-c', `${await copied(explorer)} --silent --globoff`])
    expect(JSON.parse(stdout)).toMatchObject({ totalnb: await counted(explorer) })
    await page.getByLabel('Copy a link to this view').click()
    expect(await copied(explorer)).toBe(page.url())
    await explorer.close()
  })
})
