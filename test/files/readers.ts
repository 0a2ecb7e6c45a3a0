import { describe, inject } from 'vitest'

/** `describe` for what needs GDAL, xmllint or pngcheck: skipped, and counted so, where they are not there. */
export const describeWithReaders = inject('fileReaders') ? describe : describe.skip
