import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PATIENT } from '../support/patience.ts'
import { startServerProcess } from '../support/server-process.ts'
import { browserProgram } from './browser-program.ts'
import { launchChromium } from './chromium.ts'

const run = promisify(execFile)
const entry = join(import.meta.dirname, '..', '..', 'src', 'cli', 'main.ts')

describe.skipIf(browserProgram === '')('with authentication', () => {
  let directory = ''
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'periplus-sign-in-'))
    await writeFile(join(directory, 'periplus.yaml'), "auth:\n  modes: [apikey]\n  publicPaths: ['collections:GET']\n")
  })
  afterAll(() => rm(directory, { recursive: true, force: true }))

  test('the page asks for a token, shows what it may see, and forgets it', async () => {
    const create = [
      'keys',
      'create',
      '--user',
      'ann',
      '--collection',
      'earthquakes',
      '--verbs',
      'GET',
      '--data',
      directory,
    ]
    const { stdout: key } = await run(process.execPath, ['--disable-warning=ExperimentalWarning', entry, ...create], {
      cwd: directory,
    })
    const server = await startServerProcess({ directory, flags: ['--demo', '--log-level', 'warn'] })
    const browser = await launchChromium(browserProgram)
    try {
      const page = await browser.newPage()
      page.setDefaultTimeout(PATIENT.timeout)
      await page.goto(`${server.base}/`)
      await page.getByLabel('Key or token').fill('wrong.key')
      await page.getByRole('button', { name: 'Sign in' }).last().click()
      await page.getByLabel('Key or token').fill(key.trim())
      await page.getByRole('button', { name: 'Sign in' }).last().click()
      await expect.poll(() => page.locator('.total').textContent()).toBe('1,707')
      // tiles are asked for with the token too
      await expect.poll(() => page.locator('.map').getAttribute('data-documents')).toBe('1707')
      await page.reload()
      await expect.poll(() => page.locator('.total').textContent()).toBe('1,707')
      expect(page.url()).not.toContain(key.trim())
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByLabel('Key or token').waitFor()
    } finally {
      await browser.close()
      await server.stop()
    }
  })
})
