import { compareSystems, reportAgain } from './comparison.ts'
import { type BenchOptions, readOptions } from './options.ts'
import { measureClusterOverhead } from './single/cluster-overhead.ts'
import { measureDelivery } from './single/delivery-measurement.ts'
import { measureFiles } from './single/file-measurement.ts'
import { measureMatching } from './single/matching.ts'
import { measureTagging } from './single/tagging-measurement.ts'

const options = readOptions(process.argv.slice(2))
if (options !== undefined) await measurementOf(options)(options)

function measurementOf(asked: BenchOptions): (options: BenchOptions) => Promise<void> {
  const { files, tagging, matching, delivery, engine, report } = asked
  if (report !== undefined) return () => reportAgain(report)
  if (files) return measureFiles
  if (tagging) return measureTagging
  if (matching) return measureMatching
  if (delivery) return measureDelivery
  return engine === 'cluster' ? measureClusterOverhead : compareSystems
}
