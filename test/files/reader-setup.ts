import type { TestProject } from 'vitest/node'
import { ensureFileReaders } from '../../scripts/tools/file-readers.ts'
import { offerService } from '../support/shared-service.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Responds when GDAL, xmllint and pngcheck are installed, see readers.ts. */
    readerService: string
  }
}

/** Finds or installs the programs that read exported files, in the background. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const service = await offerService('TESTS WITH READERS OF FILES', async () => {
    await ensureFileReaders((line) => console.error(line))
    return { address: 'installed', stop: async () => undefined }
  })
  project.provide('readerService', service.url)
  service.begin()
  return service.stop
}
