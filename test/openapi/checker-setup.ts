import type { TestProject } from 'vitest/node'
import { type ApiCheckers, ensureApiCheckers } from '../../scripts/api-checkers.ts'
import { MissingTool } from '../../scripts/missing-tool.ts'
import { isChecking } from '../support/checking.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Location of schemathesis and the validator. Undefined: suites that need them are skipped. */
    apiCheckers: ApiCheckers | undefined
  }
}

/** Finds or installs the programs that check the OpenAPI document. */
export default async function setup(project: TestProject): Promise<void> {
  try {
    project.provide('apiCheckers', await ensureApiCheckers((line) => console.error(line)))
  } catch (error) {
    if (!(error instanceof MissingTool) || isChecking()) throw error
    console.error(`\n*** TESTS OF THE OPENAPI DOCUMENT ARE SKIPPED: ${error.message} ***\n`)
    project.provide('apiCheckers', undefined)
  }
}
