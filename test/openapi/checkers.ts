import { inject } from 'vitest'
import type { ApiCheckers } from '../../scripts/tools/api-checkers.ts'
import { askService } from '../support/shared-service.ts'

const location = await askService(inject('checkerService'))

/** Location of schemathesis and the validator. Undefined: suites that need them are skipped. */
export const checkers: ApiCheckers | undefined = location === '' ? undefined : JSON.parse(location)
