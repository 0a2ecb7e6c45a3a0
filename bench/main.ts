import { measureClusterOverhead } from './cluster-overhead.ts'
import { measureDelivery } from './delivery-measurement.ts'
import { compareEngines } from './engine-comparison.ts'
import { measureFiles } from './file-measurement.ts'
import { measureMatching } from './matching.ts'
import { type BenchOptions, readOptions } from './options.ts'
import { measureTagging } from './tagging-measurement.ts'

const options = readOptions(process.argv.slice(2))
if (options !== undefined) await measurementOf(options)(options)

function measurementOf(asked: BenchOptions): (options: BenchOptions) => Promise<void> {
  const { files, tagging, matching, delivery, engine } = asked
  if (files) return measureFiles
  if (tagging) return measureTagging
  if (matching) return measureMatching
  if (delivery) return measureDelivery
  return engine === 'cluster' ? measureClusterOverhead : compareEngines
}
