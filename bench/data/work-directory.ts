import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatasetName } from '../questions/question.ts'
import { type BulkFile, writeBulkFile } from './bulk-file.ts'

const BATCH = 5_000

interface GeneratedDocuments {
  readonly documents: number
  readonly seed: number
  readonly dataset?: DatasetName
}

/** Generates the documents, and removes them after `work`. */
export async function withBulkFile(
  { documents, seed, dataset = 'points' }: GeneratedDocuments,
  work: (file: BulkFile) => Promise<void>,
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'periplus-bench-'))
  try {
    console.log(`writing ${documents} documents`)
    const path = join(directory, `${dataset}.ndjson`)
    await work(await writeBulkFile(path, { dataset, count: documents, seed, batchSize: BATCH }))
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
