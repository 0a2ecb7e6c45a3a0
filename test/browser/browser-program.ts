import { inject } from 'vitest'
import { askService } from '../support/shared-service.ts'

/** Path of the browser, once it is installed and the page is built. Empty: suites that need it are skipped. */
export const browserProgram: string = await askService(inject('browserService'))
