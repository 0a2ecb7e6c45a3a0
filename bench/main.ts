import { measureClusterOverhead } from './cluster-overhead.ts'
import { compareEngines } from './engine-comparison.ts'
import { measureFiles } from './file-measurement.ts'
import { measureMatching } from './matching.ts'
import { type BenchOptions, readOptions } from './options.ts'
import { measureTagging } from './tagging-measurement.ts'

const options = readOptions(process.argv.slice(2))
if (options !== undefined) await measurementOf(options)(options)

function measurementOf({ files, tagging, matching, engine }: BenchOptions): (options: BenchOptions) => Promise<void> {
  if (files) return measureFiles
  if (tagging) return measureTagging
  if (matching) return measureMatching
  return engine === 'cluster' ? measureClusterOverhead : compareEngines
}
