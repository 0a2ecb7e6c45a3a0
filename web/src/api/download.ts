import { send } from './request.ts'

export interface ExportFormat {
  readonly name: string
  /** Name of the format in requests. */
  readonly format: string
  readonly extension: string
  readonly type: string
  /** Additional request parameters. */
  readonly parameters?: readonly (readonly [string, string])[]
}

export const exportFormats: readonly ExportFormat[] = [
  { name: 'GeoJSON', format: 'geojsonl', extension: 'geojson', type: 'application/geo+json' },
  // Meant for spreadsheets, which must not run document values as formulas.
  { name: 'CSV', format: 'csv', extension: 'csv', type: 'text/csv', parameters: [['spreadsheet', 'true']] },
  { name: 'CSV, raw', format: 'csv', extension: 'csv', type: 'text/csv' },
  { name: 'Shapefile', format: 'shapefile', extension: 'zip', type: 'application/zip' },
  { name: 'GeoParquet', format: 'geoparquet', extension: 'parquet', type: 'application/vnd.apache.parquet' },
  { name: 'FlatGeobuf', format: 'flatgeobuf', extension: 'fgb', type: 'application/flatgeobuf' },
]

export interface Progress {
  readonly bytes: number
  /** Known for line-based formats only. */
  readonly documents?: number
}

const LINE_FEED = 10

/**
 * Downloads a file with progress and saves it. Converts the GeoJSON lines sent by the server to one GeoJSON document.
 */
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
  // the first line of a CSV is its header
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

/** Adds a comma after every line. A feature contains no raw line feeds. */
function separateLines(chunk: Uint8Array): Uint8Array<ArrayBuffer> {
  const made = new Uint8Array(chunk.length + countLines(chunk))
  let at = 0
  for (const byte of chunk) {
    if (byte === LINE_FEED) made[at++] = 44
    made[at++] = byte
  }
  return made
}

/** Wraps the features in a collection, without the trailing comma. */
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
  // wait until the browser has opened the file
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
