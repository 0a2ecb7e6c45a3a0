import { startServerProcess } from '../test/support/server-process.ts'
import { measureExports } from './export-measurement.ts'
import { type FileReport, renderFileReport } from './file-report.ts'
import { loadOne } from './loading.ts'
import type { BenchOptions } from './options.ts'
import { periplusAt } from './periplus-system.ts'
import { memoryMiB } from './process-figures.ts'
import { machine, saveResult } from './result-file.ts'
import { measureTiles } from './tile-measurement.ts'
import { withBulkFile } from './work-directory.ts'

/** Loads documents, exports all of them in every format, and requests tiles. */
export async function measureFiles(options: BenchOptions): Promise<void> {
  const { documents, seed, parallel } = options
  await withBulkFile(options, async (file) => {
    const server = await startServerProcess({ nodeFlags: process.execArgv, flags: ['--set', 'cache.enabled=false'] })
    try {
      console.log('loading')
      const at = { url: server.base, pid: server.pid }
      const load = await loadOne(periplusAt(at), file, parallel)
      const idle = await memoryMiB(server.pid)
      const report: FileReport = {
        documents,
        seed,
        date: new Date().toISOString(),
        machine,
        load,
        ...(idle === undefined ? {} : { idleMemoryMiB: idle }),
        exports: await measureExports(at, documents, options.only),
        tiles: await measureTiles(at, options),
      }
      console.log(`\n${renderFileReport(report)}`)
      await saveResult(report, options.out)
    } finally {
      await server.stop()
      await server.removeData()
    }
  })
}
