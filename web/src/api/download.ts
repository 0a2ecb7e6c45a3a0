import { send } from './request.ts'

export interface ExportFormat {
  readonly name: string
  /** As the server calls it. */
  readonly format: string
  readonly extension: string
  readonly type: string
  /** Further parameters of the request. */
  readonly parameters?: readonly (readonly [string, string])[]
}

export const exportFormats: readonly ExportFormat[] = [
  { name: 'GeoJSON', format: 'geojsonl', extension: 'geojson', type: 'application/geo+json' },
  // Who clicks here opens the file in a spreadsheet: it must not run what a document holds as a formula.
  { name: 'CSV', format: 'csv', extension: 'csv', type: 'text/csv', parameters: [['spreadsheet', 'true']] },
  { name: 'CSV, raw', format: 'csv', extension: 'csv', type: 'text/csv' },
  { name: 'Shapefile', format: 'shapefile', extension: 'zip', type: 'application/zip' },
  { name: 'GeoParquet', format: 'geoparquet', extension: 'parquet', type: 'application/vnd.apache.parquet' },
  { name: 'FlatGeobuf', format: 'flatgeobuf', extension: 'fgb', type: 'application/flatgeobuf' },
]

export interface Progress {
  readonly bytes: number
  /** Known for files of lines. */
  readonly documents?: number
}

const LINE_FEED = 10

/** Fetches a file, telling how far it is, and saves it. The server sends features line by line; they become one GeoJSON. */
export async function download(
  path: string,
  { format, type }: ExportFormat,
  name: string,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<Progress> {
  const response = await send(path, { signal })
  const isLines = format === 'geojsonl' || format === 'csv'
  const parts: BlobPart[] = []
  let progress: Progress = { bytes: 0, ...(isLines ? { documents: 0 } : {}) }
  let told = 0
  for await (const chunk of chunksOf(response)) {
    parts.push(format === 'geojsonl' ? separateLines(chunk) : chunk)
    const { bytes, documents } = progress
    progress = {
      bytes: bytes + chunk.length,
      ...(documents === undefined ? {} : { documents: documents + countLines(chunk) }),
    }
    if (performance.now() - told < 100) continue
    told = performance.now()
    onProgress(progress)
  }
  // the first line of a CSV names its columns
  const { documents } = progress
  if (format === 'csv' && documents !== undefined) progress = { ...progress, documents: Math.max(0, documents - 1) }
  save(format === 'geojsonl' ? wrapFeatures(parts) : new Blob(parts, { type }), name)
  return progress
}

async function* chunksOf(response: Response): AsyncIterable<Uint8Array<ArrayBuffer>> {
  const reader = response.body?.getReader()
  if (reader === undefined) return
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
}

const countLines = (chunk: Uint8Array): number =>
  chunk.reduce((count, byte) => (byte === LINE_FEED ? count + 1 : count), 0)

/** A comma after every line: line feeds do not occur inside of one. */
function separateLines(chunk: Uint8Array): Uint8Array<ArrayBuffer> {
  const made = new Uint8Array(chunk.length + countLines(chunk))
  let at = 0
  for (const byte of chunk) {
    if (byte === LINE_FEED) made[at++] = 44
    made[at++] = byte
  }
  return made
}

/** The last comma has nothing behind it. */
function wrapFeatures(parts: readonly BlobPart[]): Blob {
  const features = new Blob([...parts])
  const inner = features.size === 0 ? features : features.slice(0, features.size - 2)
  return new Blob(['{"type":"FeatureCollection","features":[\n', inner, '\n]}\n'], { type: 'application/geo+json' })
}

function save(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // the browser has to have opened it before it goes
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
