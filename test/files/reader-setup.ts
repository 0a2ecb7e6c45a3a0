import type { TestProject } from 'vitest/node'
import { ensureFileReaders } from '../../scripts/file-readers.ts'
import { MissingTool } from '../../scripts/missing-tool.ts'
import { isChecking } from '../support/checking.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether GDAL, xmllint and pngcheck are there; where they are not, what needs them is skipped. */
    fileReaders: boolean
  }
}

/** Looks for the programs that read what the server writes, or installs them. */
export default async function setup(project: TestProject): Promise<void> {
  try {
    await ensureFileReaders((line) => console.error(line))
    project.provide('fileReaders', true)
  } catch (error) {
    if (!(error instanceof MissingTool) || isChecking()) throw error
    console.error(`\n*** TESTS WITH READERS OF FILES ARE SKIPPED: ${error.message} ***\n`)
    project.provide('fileReaders', false)
  }
}
