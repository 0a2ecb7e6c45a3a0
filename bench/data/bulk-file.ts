import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { DatasetName } from '../questions/question.ts'
import { indexLines } from './bulk-lines.ts'
import { datasets } from './datasets.ts'

/** Bulk lines of all documents in one file, split into batches; generated once, read by all systems. */
export interface BulkFile {
  readonly path: string
  readonly batches: readonly Batch[]
}

interface Batch {
  readonly offset: number
  readonly bytes: number
  readonly documents: number
}

interface BulkFileOptions {
  readonly dataset: DatasetName
  /** Number of documents, if the dataset has as many. */
  readonly count: number
  readonly seed: number
  readonly batchSize: number
}

/** Lines name an index only if the dataset has several. */
export async function writeBulkFile(
  path: string,
  { dataset, count, seed, batchSize }: BulkFileOptions,
): Promise<BulkFile> {
  const { documents, indexOf } = datasets[dataset]
  const out = createWriteStream(path)
  const batches: Batch[] = []
  let offset = 0
  let lines: string[] = []
  const flush = async (): Promise<void> => {
    const bytes = Buffer.from(lines.join(''))
    batches.push({ offset, bytes: bytes.length, documents: lines.length })
    offset += bytes.length
    lines = []
    if (!out.write(bytes)) await once(out, 'drain')
  }
  for await (const document of documents(count, seed)) {
    lines.push(indexLines(document, indexOf?.(document.id)))
    if (lines.length === batchSize) await flush()
  }
  if (lines.length > 0) await flush()
  out.end()
  await once(out, 'close')
  return { path, batches }
}

/** Splits the file into parts of about `documents`, in order. */
export function partsOf({ path, batches }: BulkFile, documents: number): readonly BulkFile[] {
  const each = Math.max(1, Math.round(documents / (batches[0]?.documents ?? 1)))
  return Array.from({ length: Math.ceil(batches.length / each) }, (_, part) => ({
    path,
    batches: batches.slice(part * each, (part + 1) * each),
  }))
}

/** Passes every batch to `send`, at most `parallel` at a time. */
export async function sendBatches(
  file: BulkFile,
  parallel: number,
  send: (body: Buffer) => Promise<void>,
): Promise<void> {
  const handle = await open(file.path)
  try {
    const queue = file.batches.values()
    const worker = async (): Promise<void> => {
      for (const batch of queue) {
        const body = Buffer.allocUnsafe(batch.bytes)
        await handle.read(body, 0, batch.bytes, batch.offset)
        await send(body)
      }
    }
    await Promise.all(Array.from({ length: parallel }, worker))
  } finally {
    await handle.close()
  }
}
