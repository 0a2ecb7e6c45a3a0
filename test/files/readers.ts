import { describe, inject } from 'vitest'

/**
 * `describe` for suites that need GDAL, xmllint or pngcheck. Skipped, and counted as skipped, if they are not
 * installed.
 */
export const describeWithReaders = inject('fileReaders') ? describe : describe.skip
