import { describe, inject } from 'vitest'
import { askService } from '../support/shared-service.ts'

/**
 * `describe` for suites that need GDAL, xmllint or pngcheck. Skipped, and counted as skipped, if they are not
 * installed.
 */
export const describeWithReaders = (await askService(inject('readerService'))) === '' ? describe.skip : describe
