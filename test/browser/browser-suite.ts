import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll, describe } from 'vitest'
import { type ServerProcess, startServerProcess } from '../support/server-process.ts'
import { browserProgram } from './browser-program.ts'
import { launchChromium } from './chromium.ts'
import { type ExplorerPage, openPage } from './explorer-page.ts'

interface World {
  readonly server: ServerProcess
  readonly browser: Browser
  open(hash?: string, options?: BrowserContextOptions): Promise<ExplorerPage>
}

/**
 * Defines a suite with its own server, by default with the sample data, and a browser. Skipped if there is no browser.
 */
export function describeInBrowser(
  name: string,
  body: (world: () => World) => void,
  flags: readonly string[] = ['--demo'],
): void {
  describe.skipIf(browserProgram === '')(name, () => {
    let world: World | undefined
    beforeAll(async () => {
      const server = await startServerProcess({ flags: ['--log-level', 'warn', ...flags] })
      const browser = await launchChromium(browserProgram)
      world = {
        server,
        browser,
        open: (hash = '', options = {}) => openPage(browser, `${server.base}/${hash}`, options),
      }
    })
    afterAll(async () => {
      await world?.browser.close()
      await world?.server.stop()
      await world?.server.removeData()
    })
    body(() => {
      if (world === undefined) throw new Error('The server did not start')
      return world
    })
  })
}
