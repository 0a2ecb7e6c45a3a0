import { createWriteStream, openSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { isRecord } from '../../model/json/json-object.ts'
import { withGivenMask } from '../../storage/private-files.ts'
import { CliFault, exitCodes } from '../terminal/cli-fault.ts'
import { printBytes, printDocuments } from '../terminal/progress.ts'
import { countCsvRecords, countFlatgeobufFeatures, countLines, type RecordCounter } from '../terminal/record-counter.ts'
import { ask, type Connection, readAnswer } from './connection.ts'
import { type ExportAdvance, ExportProgress } from './export-progress.ts'

/** Formats by their names in requests; without counter if records cannot be counted while they arrive. */
const formats = {
  geojsonl: { extension: 'geojsonl', counter: countLines },
  csv: { extension: 'csv', counter: countCsvRecords },
  geoparquet: { extension: 'parquet', counter: undefined },
  flatgeobuf: { extension: 'fgb', counter: countFlatgeobufFeatures },
  shapefile: { extension: 'zip', counter: undefined },
} as const

type OutputFormat = keyof typeof formats
export const outputFormats = Object.keys(formats).filter(isFormat)

function isFormat(name: string): name is OutputFormat {
  return Object.hasOwn(formats, name)
}

export interface ExportOptions {
  readonly format?: OutputFormat
  readonly output?: string
  readonly f?: readonly string[]
  readonly q?: readonly string[]
  readonly dateformat?: string
  readonly include?: string
  readonly exclude?: string
  readonly sort?: string
  readonly size?: string
  readonly flat?: boolean
  readonly spreadsheet?: boolean
}

/** Writes the documents of a collection to a file or to standard output. Returns the exit code. */
export async function exportCollection(
  connection: Connection,
  collection: string,
  options: ExportOptions,
  signal: AbortSignal,
): Promise<number> {
  const format = options.format ?? formatOfName(options.output)
  const output = options.output ?? `${collection}.${formats[format].extension}`
  const route = `/explore/${encodeURIComponent(collection)}`
  const filter = filterQuery(options)
  const total = await countAll(connection, `${route}/_count?${filter}`, options.size)
  say(`Exporting ${printDocuments(total)} of ${collection} as ${format}.`)
  const download = await connection.download(`${route}/_search?${searchQuery(filter, format, options)}`, signal)
  if (download.status >= 400) readAnswer({ ...download, text: await text(download.body) }, connection.where)
  const progress = new ExportProgress(process.stderr, total)
  try {
    const counter = formats[format].counter?.()
    const written = await save(watch(download.body, counter, progress), output, signal)
    progress.clear()
    say(summary(written, output, progress.seconds, connection.where))
    return exitCodes.done
  } finally {
    progress.clear()
  }
}

function formatOfName(output: string | undefined): OutputFormat {
  const extension = path
    .extname(output ?? '')
    .slice(1)
    .toLowerCase()
  const found = outputFormats.find((name) => name === extension || formats[name].extension === extension)
  if (found !== undefined) return found
  throw new CliFault(
    `The format cannot be detected from the file name: specify it with --format (${outputFormats.join(', ')}).`,
    exitCodes.usage,
  )
}

function filterQuery({ f = [], q = [], dateformat }: ExportOptions): URLSearchParams {
  const query = new URLSearchParams()
  for (const triplet of f) query.append('f', triplet)
  for (const words of q) query.append('q', words)
  if (dateformat !== undefined) query.set('dateformat', dateformat)
  return query
}

function searchQuery(filter: URLSearchParams, format: OutputFormat, options: ExportOptions): URLSearchParams {
  const query = new URLSearchParams(filter)
  query.set('format', format)
  for (const name of ['include', 'exclude', 'sort', 'size'] as const) {
    const value = options[name]
    if (value !== undefined) query.set(name, value)
  }
  if (options.flat === true) query.set('flat', 'true')
  if (options.spreadsheet === true) query.set('spreadsheet', 'true')
  return query
}

/** Returns the expected number of documents in the file. */
async function countAll(connection: Connection, request: string, size: string | undefined): Promise<number> {
  const answer = await ask(connection, 'GET', request)
  const total = isRecord(answer) ? Number(answer.totalnb) : 0
  const most = Number(size ?? Number.POSITIVE_INFINITY)
  return Number.isNaN(most) ? total : Math.min(total, most)
}

interface Watched {
  readonly pieces: AsyncIterable<Uint8Array>
  readonly advance: () => ExportAdvance
}

function watch(body: AsyncIterable<Uint8Array>, counter: RecordCounter | undefined, progress: ExportProgress): Watched {
  let advance: ExportAdvance = counter === undefined ? { bytes: 0 } : { bytes: 0, documents: 0 }
  async function* pieces(): AsyncIterable<Uint8Array> {
    for await (const chunk of interrupted(body)) {
      const bytes = advance.bytes + chunk.length
      advance = counter === undefined ? { bytes } : { bytes, documents: counter(chunk) }
      progress.update(advance)
      yield chunk
    }
  }
  return { pieces: pieces(), advance: () => advance }
}

/** Reports a truncated answer as an error of the connection, not of the output file. */
async function* interrupted(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  try {
    yield* body
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CliFault(`The export stopped before its end (${reason}): check the server log and try again.`)
  }
}

/** Writes to a temporary file and renames it when complete, so that an existing file stays until then. */
async function save({ pieces, advance }: Watched, output: string, signal: AbortSignal): Promise<ExportAdvance> {
  if (output === '-') {
    await pipeline(pieces, process.stdout, { end: false, signal }).catch(acceptClosedPipe)
    return advance()
  }
  const part = `${output}.part`
  try {
    await pipeline(pieces, createWriteStream(part, { fd: withGivenMask(() => openSync(part, 'w')) }), { signal })
    await rename(part, output)
    return advance()
  } catch (error) {
    await rm(part, { force: true })
    throw saveFault(error, output, signal)
  }
}

/** The reader of standard output may close it early. */
function acceptClosedPipe(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EPIPE')) throw error
}

function saveFault(error: unknown, output: string, signal: AbortSignal): unknown {
  if (signal.aborted) return new CliFault(`Interrupted: ${output} was not written.`)
  if (error instanceof CliFault || !(error instanceof Error) || !('code' in error)) return error
  return new CliFault(
    `The file ${output} cannot be written (${error.message}): check the path and the free disk space.`,
  )
}

function summary({ bytes, documents }: ExportAdvance, output: string, seconds: number, where: string): string {
  const what = documents === undefined ? printBytes(bytes) : `${printDocuments(documents)} (${printBytes(bytes)})`
  const to = output === '-' ? 'standard output' : output
  return `Wrote ${what} to ${to} in ${seconds.toFixed(1)} s (${where}).`
}

/** Messages go to standard error, because standard output may be the file. */
function say(message: string): void {
  console.error(message)
}
