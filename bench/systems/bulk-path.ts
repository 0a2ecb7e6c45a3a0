import { datasets } from '../data/datasets.ts'
import type { DatasetName } from '../questions/question.ts'

/** Returns the path of bulk writes; lines name their index only if the dataset has several. */
export function bulkPath(dataset: DatasetName): string {
  const [only, ...others] = datasets[dataset].indices
  return others.length === 0 ? `/${only}/_bulk` : '/_bulk'
}
