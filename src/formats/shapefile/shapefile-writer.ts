import { join } from 'node:path'
import type { Box } from '../../geo/area.ts'
import type { Json } from '../../model/json/document.ts'
import { flatMapInTurns } from '../../turn.ts'
import { BufferedFile } from '../buffered-file.ts'
import { readLines } from '../read-lines.ts'
import { dbfHeader, dbfRow, FILE_END, type NamedColumn } from './dbf-bytes.ts'
import { recordBox, type ShapeKind, type ShapeRecord } from './shape-record.ts'
import { fileHeader, HEADER_BYTES, indexEntry, recordBytes } from './shp-bytes.ts'

type Row = Readonly<Record<string, Json>>

/**
 * A shapefile being written. Geometries are written at once; rows are spooled to a file until all columns are known.
 */
export class ShapefileWriter {
  readonly kind: ShapeKind
  readonly #base: string
  readonly #shp: BufferedFile
  readonly #shx: BufferedFile
  readonly #rows: BufferedFile
  #records = 0
  #box: Box | undefined

  private constructor(kind: ShapeKind, base: string, files: readonly [BufferedFile, BufferedFile, BufferedFile]) {
    this.kind = kind
    this.#base = base
    ;[this.#shp, this.#shx, this.#rows] = files
  }

  /** `base`: file name without extension. */
  static async create(kind: ShapeKind, directory: string, base: string): Promise<ShapefileWriter> {
    const at = join(directory, base)
    const shp = await BufferedFile.create(`${at}.shp`)
    const shx = await BufferedFile.create(`${at}.shx`)
    const rows = await BufferedFile.create(`${at}.rows`)
    for (const file of [shp, shx]) await file.append(Buffer.alloc(HEADER_BYTES))
    return new ShapefileWriter(kind, at, [shp, shx, rows])
  }

  async add(record: ShapeRecord, row: Row): Promise<void> {
    const bytes = recordBytes(record, ++this.#records)
    this.#box = around(this.#box, recordBox(record))
    await this.#shx.append(indexEntry(this.#shp.length, bytes.length))
    await this.#shp.append(bytes)
    await this.#rows.append(Buffer.from(`${JSON.stringify(row)}\n`))
  }

  /** Completes the files and writes the .dbf. */
  async finish(columns: readonly NamedColumn[], today: Date): Promise<void> {
    await this.#shp.finish(fileHeader(this.kind, this.#shp.length, this.#box))
    await this.#shx.finish(fileHeader(this.kind, this.#shx.length, this.#box))
    await this.#rows.finish()
    await this.#writeTable(columns, today)
  }

  async #writeTable(columns: readonly NamedColumn[], today: Date): Promise<void> {
    const dbf = await BufferedFile.create(`${this.#base}.dbf`)
    try {
      await dbf.append(dbfHeader(columns, this.#records, today))
      const rows = flatMapInTurns(readLines(this.#rows.path), (line) => [dbfRow(columns, JSON.parse(line))])
      for await (const batch of rows) {
        for (const row of batch) await dbf.append(row)
      }
      await dbf.append(Buffer.of(FILE_END))
    } catch (error) {
      await dbf.abandon()
      throw error
    }
    await dbf.finish()
  }

  async abandon(): Promise<void> {
    for (const file of [this.#shp, this.#shx, this.#rows]) await file.abandon()
  }
}

function around(known: Box | undefined, box: Box): Box {
  if (known === undefined) return box
  return {
    west: Math.min(known.west, box.west),
    south: Math.min(known.south, box.south),
    east: Math.max(known.east, box.east),
    north: Math.max(known.north, box.north),
  }
}
