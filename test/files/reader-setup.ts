import type { TestProject } from 'vitest/node'
import { ensureFileReaders } from '../../scripts/file-readers.ts'
import { MissingTool } from '../../scripts/missing-tool.ts'
import { isChecking } from '../support/checking.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** True if GDAL, xmllint and pngcheck are installed. Otherwise suites that need them are skipped. */
    fileReaders: boolean
  }
}

/** Finds or installs the programs that read exported files. */
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
