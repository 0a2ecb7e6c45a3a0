import type { TestProject } from 'vitest/node'
import { buildPage } from '../../scripts/build-web.ts'
import { offerService } from '../support/shared-service.ts'
import { ensureChromium } from './chromium.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Responds with the path of the browser, see browser-program.ts. */
    browserService: string
  }
}

/** Finds or installs the browser, and builds the page if its sources have changed, in the background. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const say = (line: string): void => console.error(line)
  const service = await offerService('TESTS IN A BROWSER', async () => {
    const address = await ensureChromium(say)
    await buildPage(say)
    return { address, stop: async () => undefined }
  })
  project.provide('browserService', service.url)
  service.begin()
  return service.stop
}
