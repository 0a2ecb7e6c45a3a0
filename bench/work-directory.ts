import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BulkFile, writeBulkFile } from './bulk-file.ts'

const BATCH = 5_000

/** Generates the documents, and removes them after `work`. */
export async function withBulkFile(
  { documents, seed }: { readonly documents: number; readonly seed: number },
  work: (file: BulkFile) => Promise<void>,
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'periplus-bench-'))
  try {
    console.log(`writing ${documents} documents`)
    await work(await writeBulkFile(join(directory, 'documents.ndjson'), documents, seed, BATCH))
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
