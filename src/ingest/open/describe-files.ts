import { open, stat } from 'node:fs/promises'
import path from 'node:path'
import type { OpenedFile, OpenedFiles } from '../../engine/engine.ts'
import type { JsonObject } from '../../model/json/document.ts'
import type { DocumentShape } from '../plan/document-shape.ts'
import { openParquet } from '../read/columnar/parquet-rows.ts'
import { InputFault } from '../source/input-fault.ts'
import type { Source } from '../source/open-sources.ts'

/** How the rows of opened files become documents. */
export interface OpenedReading {
  readonly shape: DocumentShape
  /** Coordinate system that was stated, instead of what the files state. */
  readonly crs?: string
}

/** All of them are looked at before every read. */
const MOST_FILES = 1_000

/** Throws InputFault unless all files are Parquet files on the disk. */
export async function checkCanOpen(sources: readonly Source[]): Promise<void> {
  if (sources.length > MOST_FILES) {
    throw new InputFault(`${sources.length} files cannot be opened at once (at most ${MOST_FILES}): load them instead.`)
  }
  for (const { file, name } of sources) {
    // What was unpacked or downloaded is removed when the command ends.
    const isInPlace = file === name && file !== '-'
    if (isInPlace && (await isParquet(file))) continue
    throw new InputFault(
      `${name} cannot be opened in place: only Parquet files on a disk of this machine can. Use "periplus load" for it.`,
    )
  }
}

async function isParquet(file: string): Promise<boolean> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'ENOENT' ? 'does not exist' : 'cannot be read'
    throw new InputFault(`The file ${file} ${why}; check the path.`)
  })
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0)
    return bytesRead === 4 && buffer.toString('latin1') === 'PAR1'
  } finally {
    await handle.close()
  }
}

/** Returns the files as they are now, with what is needed to read their documents again. */
export async function describeFiles(sources: readonly Source[], { shape, crs }: OpenedReading): Promise<OpenedFiles> {
  const files: OpenedFile[] = []
  for (const { file } of sources) {
    const { size, mtimeMs } = await stat(file)
    const { rows } = await openParquet(file)
    files.push({ path: path.resolve(file), size, modifiedMs: mtimeMs, rows })
  }
  const reading = { shape, ...(crs === undefined ? {} : { crs }) }
  return { files, reading: JSON.parse(JSON.stringify(reading)) as JsonObject }
}
