import type { TestProject } from 'vitest/node'
import { buildPage } from '../../scripts/build-web.ts'
import { MissingTool } from '../../scripts/missing-tool.ts'
import { isChecking } from '../support/checking.ts'
import { ensureChromium } from './chromium.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the browser. Undefined: suites that need it are skipped. */
    chromium: string | undefined
  }
}

/** Finds or installs the browser, and builds the page if its sources have changed. */
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
