import type { TestProject } from 'vitest/node'
import { buildPage } from '../../scripts/build-web.ts'
import { MissingTool } from '../../scripts/missing-tool.ts'
import { isChecking } from '../support/checking.ts'
import { ensureChromium } from './chromium.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the browser is; where there is none, what needs it is skipped. */
    chromium: string | undefined
  }
}

/** Looks for the browser, or installs it, and builds the page when its sources have changed. */
export default async function setup(project: TestProject): Promise<void> {
  try {
    project.provide('chromium', await ensureChromium((line) => console.error(line)))
  } catch (error) {
    if (!(error instanceof MissingTool) || isChecking()) throw error
    console.error(`\n*** TESTS IN A BROWSER ARE SKIPPED: ${error.message} ***\n`)
    project.provide('chromium', undefined)
    return
  }
  await buildPage((line) => console.error(line))
}
