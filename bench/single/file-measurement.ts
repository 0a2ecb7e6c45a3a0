import { startServerProcess } from '../../test/support/server-process.ts'
import { withBulkFile } from '../data/work-directory.ts'
import { loadOne } from '../measure/loading.ts'
import { memoryMiB } from '../measure/process-figures.ts'
import type { BenchOptions } from '../options.ts'
import { machine, saveResult } from '../report/result-file.ts'
import { periplusAt } from '../systems/periplus.ts'
import { measureExports } from './export-measurement.ts'
import { type FileReport, renderFileReport } from './file-report.ts'
import { measureTiles } from './tile-measurement.ts'

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
