import { ensurePythonModules, type PythonModules } from './python-modules.ts'

/** How to run the programs: `python3` with a folder of modules. */
export type ApiCheckers = PythonModules

/**
 * Programs that check a running server against its OpenAPI document, from PyPI. Pinned, so that a seed is reproducible.
 */
export const ensureApiCheckers = (say: (line: string) => void = () => undefined): Promise<ApiCheckers> =>
  ensurePythonModules({
    cache: 'api-checkers',
    packages: ['schemathesis==4.32.5', 'hypothesis==6.170.15', 'openapi-spec-validator==0.9.0'],
    purpose: 'to run schemathesis',
    say,
  })
