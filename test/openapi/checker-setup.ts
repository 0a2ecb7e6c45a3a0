import type { TestProject } from 'vitest/node'
import { ensureApiCheckers } from '../../scripts/tools/api-checkers.ts'
import { offerService } from '../support/shared-service.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Responds with the location of schemathesis and the validator, see checkers.ts. */
    checkerService: string
  }
}

/** Finds or installs the programs that check the OpenAPI document, in the background. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const service = await offerService('TESTS OF THE OPENAPI DOCUMENT', async () => ({
    address: JSON.stringify(await ensureApiCheckers((line) => console.error(line))),
    stop: async () => undefined,
  }))
  project.provide('checkerService', service.url)
  service.begin()
  return service.stop
}
