/** File formats that can be loaded. */
export const inputFormats = ['ndjson', 'geojson', 'geojsonl', 'json', 'csv', 'tsv', 'parquet'] as const
export type InputFormat = (typeof inputFormats)[number]

const EXTENSIONS: Readonly<Record<string, InputFormat>> = {
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  geojsonl: 'geojsonl',
  geojsons: 'geojsonl',
  geojsonseq: 'geojsonl',
  csv: 'csv',
  tsv: 'tsv',
  tab: 'tsv',
  parquet: 'parquet',
  geoparquet: 'parquet',
}

/**
 * Detects the format of an input by its file extension or, if that is ambiguous (`.json`, standard input), by its first
 * bytes; undefined if neither is conclusive.
 */
export function detectFormat(name: string, head: Buffer): InputFormat | undefined {
  if (head.subarray(0, 4).toString('latin1') === 'PAR1') return 'parquet'
  const extension = /\.([a-z]+)(?:\.gz)?$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  const known = Object.hasOwn(EXTENSIONS, extension) ? EXTENSIONS[extension] : undefined
  if (known === 'ndjson') return holdsFeatures(head) ? 'geojsonl' : 'ndjson'
  if (known !== undefined) return known
  return detectContent(head.toString('utf8'))
}

/** Precedes every feature in GeoJSON text sequences (RFC 8142). */
const RECORD_SEPARATOR = '\u001e'

const holdsFeatures = (head: Buffer): boolean =>
  /^\s*\{\s*"type"\s*:\s*"Feature"/.test(head.toString('utf8').replace(RECORD_SEPARATOR, ''))

function detectContent(text: string): InputFormat | undefined {
  const start = text.trimStart()
  if (start.startsWith(RECORD_SEPARATOR)) return 'geojsonl'
  if (start.startsWith('[')) return 'json'
  if (start.startsWith('{')) return detectJson(start)
  const [firstLine = ''] = start.split(/\r?\n/, 1)
  if (firstLine.includes('\t')) return 'tsv'
  return /[,;|]/.test(firstLine) ? 'csv' : undefined
}

function detectJson(text: string): InputFormat {
  const [firstLine = ''] = text.split('\n', 1)
  const type = typeOf(firstLine)
  if (type === 'Feature') return 'geojsonl'
  if (type === 'FeatureCollection') return 'geojson'
  if (type !== undefined) return 'ndjson'
  return /"type"\s*:\s*"FeatureCollection"|"features"\s*:\s*\[/.test(text) ? 'geojson' : 'ndjson'
}

/** Returns the `type` of a JSON object (empty if it has none); undefined if the line is not a complete JSON object. */
function typeOf(line: string): string | undefined {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value !== 'object' || value === null) return undefined
    return 'type' in value && typeof value.type === 'string' ? value.type : ''
  } catch {
    // Not complete on one line: the caller inspects the text instead.
    return undefined
  }
}
