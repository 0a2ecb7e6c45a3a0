import type { TestProject } from 'vitest/node'
import { type ApiCheckers, ensureApiCheckers } from '../../scripts/api-checkers.ts'
import { MissingTool } from '../../scripts/missing-tool.ts'
import { isChecking } from '../support/checking.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where schemathesis and the validator are; where they cannot be had, what needs them is skipped. */
    apiCheckers: ApiCheckers | undefined
  }
}

/** Looks for the programs that check the OpenAPI document, or installs them. */
export default async function setup(project: TestProject): Promise<void> {
  try {
    project.provide('apiCheckers', await ensureApiCheckers((line) => console.error(line)))
  } catch (error) {
    if (!(error instanceof MissingTool) || isChecking()) throw error
    console.error(`\n*** TESTS OF THE OPENAPI DOCUMENT ARE SKIPPED: ${error.message} ***\n`)
    project.provide('apiCheckers', undefined)
  }
}
