import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline, type Readable, Transform } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { problem } from '../../errors.ts'
import type { Geometry } from '../../model/geometry.ts'
import type { JsonObject } from '../../model/json/document.ts'
import { csvLine } from '../csv-line.ts'
import { fileName } from '../file-name.ts'
import { columnNames } from './column-names.ts'
import type { NamedColumn } from './dbf-bytes.ts'
import { ColumnList, letterOf } from './dbf-column.ts'
import { type ShapeKind, shapeTypes, toRecords } from './shape-record.ts'
import { ShapefileWriter } from './shapefile-writer.ts'

const PROJECTION =
  'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],' +
  'PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]'
const DAY_MS = 86_400_000
const READ_BYTES = 1024 * 1024
const NO_DATA = 'The request returned no data, so this archive contains no shapefile.\n'

/** A feature to be written to a shapefile. */
export interface FlatFeature {
  readonly geometry: Geometry
  readonly properties: JsonObject
}

interface ArchiveOptions {
  /** Name of the collection, used in file names. */
  readonly name: string
  /** display_names.shape_columns, by flat name or dotted path. */
  readonly shapeColumns: Readonly<Record<string, string>>
  /** Derives the column order from the order of the rows. */
  readonly arrangeColumns: (properties: readonly string[]) => readonly string[]
  /** `limits.shapefileColumns` */
  readonly mostColumns: number
  readonly today: Date
}

export interface Archive {
  /** Equal for archives with equal bytes. */
  readonly digest: string
  /** The zip; must be read to its end or destroyed. */
  readonly stream: Readable
}

/**
 * Writes features to shapefiles, one per kind of geometry, and returns a zip of them. Everything is in temporary files
 * before the first byte is read; they are removed when the stream ends or is destroyed.
 */
export async function shapefileArchive(
  features: AsyncIterable<readonly FlatFeature[]>,
  options: ArchiveOptions,
): Promise<Archive> {
  const directory = await mkdtemp(join(tmpdir(), 'periplus-shapefile-'))
  const remove = (): Promise<void> => rm(directory, { recursive: true, force: true })
  try {
    const names = await writeFiles(features, directory, options)
    const day = startOfDay(options.today)
    const digest = await digestOf(directory, names, day)
    const stream = endingWith(remove, zipOf(directory, names, day))
    // Also if it is destroyed before it was read.
    finished(stream).then(remove, remove)
    return { digest, stream }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Returns the file names in the order of the archive. */
async function writeFiles(
  features: AsyncIterable<readonly FlatFeature[]>,
  directory: string,
  options: ArchiveOptions,
): Promise<readonly string[]> {
  const columns = new ColumnList()
  const writers = new Map<ShapeKind, ShapefileWriter>()
  try {
    for await (const batch of features) {
      for (const { geometry, properties } of batch) {
        const records = toRecords(geometry)
        if (records.length > 0) columns.add(properties)
        for (const record of records) {
          await (await writerOf(record.kind)).add(record, properties)
        }
      }
      checkColumns(columns.size, options.mostColumns)
    }
    return writers.size === 0
      ? [await save(directory, 'README.txt', NO_DATA)]
      : await finish(writers, columns, directory, options)
  } catch (error) {
    for (const writer of writers.values()) await writer.abandon()
    throw error
  }

  async function writerOf(kind: ShapeKind): Promise<ShapefileWriter> {
    let writer = writers.get(kind)
    if (writer === undefined) {
      writer = await ShapefileWriter.create(kind, directory, baseName(options.name, kind))
      writers.set(kind, writer)
    }
    return writer
  }
}

async function finish(
  writers: ReadonlyMap<ShapeKind, ShapefileWriter>,
  columns: ColumnList,
  directory: string,
  options: ArchiveOptions,
): Promise<readonly string[]> {
  const named = nameColumns(columns, options)
  const kinds = Object.keys(shapeTypes).filter((kind): kind is ShapeKind => writers.has(kind as ShapeKind))
  const files: string[] = []
  for (const kind of kinds) {
    const base = baseName(options.name, kind)
    await writers.get(kind)?.finish(named, options.today)
    files.push(`${base}.shp`, `${base}.shx`, `${base}.dbf`)
    files.push(await save(directory, `${base}.prj`, PROJECTION), await save(directory, `${base}.cpg`, 'UTF-8'))
  }
  const bases = kinds.map((kind) => baseName(options.name, kind))
  return [...files, await save(directory, 'column_mapping.txt', printMapping(bases, named))]
}

const baseName = (name: string, kind: ShapeKind): string => `${fileName(name)}_${kind}`

async function save(directory: string, name: string, text: string): Promise<string> {
  await writeFile(join(directory, name), text)
  return name
}

function checkColumns(count: number, most: number): void {
  if (count <= most) return
  const reason = `must have at most ${most} columns, but has ${count}; select fewer fields with include`
  throw problem('LIMIT_EXCEEDED', { parameter: 'the shapefile', reason, setting: 'limits.shapefileColumns' })
}

function nameColumns(columns: ColumnList, options: ArchiveOptions): readonly NamedColumn[] {
  const given = new Map(Object.entries(options.shapeColumns).map(([key, name]) => [key.replaceAll('.', '_'), name]))
  const ordered = columns.toColumns(options.arrangeColumns)
  const names = columnNames(
    ordered.map(({ property }) => {
      const name = given.get(property)
      return name === undefined ? { property } : { property, given: name }
    }),
  )
  return ordered.map((column) => ({ ...column, name: names.get(column.property) ?? column.property }))
}

function printMapping(bases: readonly string[], columns: readonly NamedColumn[]): string {
  const rows = bases.flatMap((base) => columns.map((c) => [base, c.name, c.property, letterOf(c)]))
  return [['shapefile', 'column', 'property', 'type'], ...rows].map(csvLine).join('')
}

/** Drops the time from zip entries, as the .dbf has only a date, so that equal answers have equal bytes. */
const startOfDay = (time: Date): Date => new Date(Math.floor(time.getTime() / DAY_MS) * DAY_MS)

async function digestOf(directory: string, names: readonly string[], day: Date): Promise<string> {
  const hash = createHash('sha256').update(day.toISOString())
  for (const name of names) {
    hash.update(`\n${name}\n`)
    for await (const chunk of createReadStream(join(directory, name), { highWaterMark: READ_BYTES })) hash.update(chunk)
  }
  return hash.digest('base64url')
}

/** Ends only after `last`. Otherwise a server that stops after its last answer would leave the files behind. */
function endingWith(last: () => Promise<void>, stream: Readable): Readable {
  const ending = new Transform({
    transform: (chunk, _encoding, done) => done(null, chunk),
    flush: (done) => void last().then(() => done(), done),
  })
  // The stream itself reports errors to its reader.
  pipeline(stream, ending, () => {})
  return ending
}

function zipOf(directory: string, names: readonly string[], mtime: Date): Readable {
  const zip = new ZipFile()
  const stream = zip.outputStream as Readable
  zip.on('error', (error: Error) => stream.destroy(error))
  for (const name of names) zip.addFile(join(directory, name), name, { mtime, mode: 0o100644 })
  zip.end()
  return stream
}
