import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Box } from '../../geo/area.ts'
import type { Geometry } from '../../model/geometry.ts'
import { flatMapInTurns } from '../../turn.ts'
import { BufferedFile } from '../buffered-file.ts'
import { readLines } from '../read-lines.ts'
import type { ExportColumn } from './export-column.ts'
import type { ExportRow } from './export-row.ts'
import { growBox } from './geometry-box.ts'

/** Facts about all rows that a file header needs. */
export interface SpooledRows {
  /** Number of rows with a geometry. */
  readonly located: number
  /** Columns with several values in at least one row. */
  readonly several: ReadonlySet<string>
  readonly geometryTypes: ReadonlySet<Geometry['type']>
  readonly box?: Box
  /** Reads the rows again, in small batches. */
  readonly read: () => AsyncIterable<readonly ExportRow[]>
}

/**
 * Spools rows to a temporary file, for formats whose header depends on all rows; memory use does not depend on their
 * number. The file is removed when `use` ends, even on failure.
 */
export async function* withSpooledRows<T>(
  columns: readonly ExportColumn[],
  batches: AsyncIterable<readonly ExportRow[]>,
  use: (rows: SpooledRows) => AsyncIterable<T>,
): AsyncIterable<T> {
  const directory = await mkdtemp(join(tmpdir(), 'periplus-export-'))
  try {
    yield* use(await spool(columns, batches, join(directory, 'rows')))
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

async function spool(
  columns: readonly ExportColumn[],
  batches: AsyncIterable<readonly ExportRow[]>,
  path: string,
): Promise<SpooledRows> {
  const file = await BufferedFile.create(path)
  const several = new Set<string>()
  const geometryTypes = new Set<Geometry['type']>()
  let located = 0
  let box: Box | undefined
  try {
    for await (const rows of batches) {
      for (const row of rows) {
        for (const [i, cell] of row.cells.entries()) {
          if (cell.length > 1) several.add(columns[i]?.name ?? '')
        }
        if (row.geometry !== undefined) {
          located++
          geometryTypes.add(row.geometry.type)
          box = growBox(box, row.geometry)
        }
        const flushed = file.append(Buffer.from(`${JSON.stringify(row)}\n`))
        if (flushed) await flushed
      }
    }
  } catch (error) {
    await file.abandon()
    throw error
  }
  await file.finish()
  return { located, several, geometryTypes, ...(box === undefined ? {} : { box }), read: () => readRows(path) }
}

const readRows = (path: string): AsyncIterable<readonly ExportRow[]> =>
  flatMapInTurns(readLines(path), (line): readonly ExportRow[] => [JSON.parse(line)])
