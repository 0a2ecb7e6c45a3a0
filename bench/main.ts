import { measureClusterOverhead } from './cluster-overhead.ts'
import { compareEngines } from './engine-comparison.ts'
import { readOptions } from './options.ts'

const options = readOptions(process.argv.slice(2))
if (options !== undefined) await (options.engine === 'cluster' ? measureClusterOverhead : compareEngines)(options)
