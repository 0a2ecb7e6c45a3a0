import { decodeHead } from '../../source/text-encoding.ts'

/** File formats that can be loaded. */
export const inputFormats = [
  'ndjson',
  'geojson',
  'geojsonl',
  'json',
  'topojson',
  'csv',
  'tsv',
  'parquet',
  'arrow',
  'shapefile',
  'geopackage',
  'flatgeobuf',
  'kml',
  'gpx',
  'xlsx',
] as const
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
  topojson: 'topojson',
}

/** First bytes of binary formats. */
const SIGNATURES: readonly (readonly [InputFormat, string])[] = [
  ['parquet', 'PAR1'],
  ['arrow', 'ARROW1'],
  ['arrow', '\u00ff\u00ff\u00ff\u00ff'],
  ['shapefile', '\u0000\u0000\u0027\u000a'],
  ['geopackage', 'SQLite format 3\u0000'],
  ['flatgeobuf', 'fgb'],
]

/** File extensions of data, and of archives that may contain it. */
const DATA_FILE =
  /\.(ndjson|jsonl|json|geojson|geojsonl|geojsons|geojsonseq|topojson|csv|tsv|tab|parquet|geoparquet|arrow|feather|ipc|shp|gpkg|fgb|kml|kmz|gpx|xlsx|zip)(\.(gz|zst))?$/i

/** True if a file of a folder or an archive looks like data by its name. */
export const isDataFile = (name: string): boolean => DATA_FILE.test(name)

/**
 * Detects the format of an input by its first bytes and its file extension; undefined if neither is conclusive. Zip
 * archives are opened before: one that arrives here is a workbook.
 */
export function detectFormat(name: string, head: Buffer): InputFormat | undefined {
  const start = head.subarray(0, 16).toString('latin1')
  const signed = SIGNATURES.find(([, bytes]) => start.startsWith(bytes))
  if (signed !== undefined) return signed[0]
  if (start.startsWith('PK\u0003\u0004')) return 'xlsx'
  const text = decodeHead(head)
  if (/^\s*</.test(text)) return detectXml(text)
  const extension = /\.([a-z]+)(?:\.(?:gz|zst))?$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  const known = Object.hasOwn(EXTENSIONS, extension) ? EXTENSIONS[extension] : undefined
  if (known === 'ndjson') return holdsFeatures(text) ? 'geojsonl' : 'ndjson'
  if (known !== undefined) return known
  // binary content must not be read as text
  if (text.includes('\u0000')) return undefined
  return detectContent(text)
}

/** Precedes every feature in GeoJSON text sequences (RFC 8142). */
const RECORD_SEPARATOR = '\u001e'

const holdsFeatures = (text: string): boolean =>
  /^\s*\{\s*"type"\s*:\s*"Feature"/.test(text.replace(RECORD_SEPARATOR, ''))

function detectXml(text: string): InputFormat | undefined {
  const root = /<(?:\w+:)?(kml|gpx)[\s>]/.exec(text)?.[1]
  return root === 'kml' || root === 'gpx' ? root : undefined
}

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
  const [firstLine = '', secondLine = ''] = text.split('\n', 2)
  const type = typeOf(firstLine)
  if (type === 'Feature') return 'geojsonl'
  if (type === 'FeatureCollection') return 'geojson'
  if (type === 'Topology') return 'topojson'
  // one object on a line of its own, with more to come, is a line of NDJSON
  if (type !== undefined) return secondLine.trimStart().startsWith('{') || !holdsArray(firstLine) ? 'ndjson' : 'json'
  if (/^\{\s*"type"\s*:\s*"Topology"|"arcs"\s*:\s*\[\s*\[/.test(text)) return 'topojson'
  if (/"type"\s*:\s*"FeatureCollection"|"features"\s*:\s*\[/.test(text)) return 'geojson'
  if (/^\{\s*"type"\s*:\s*"(Feature|GeometryCollection|(Multi)?(Point|LineString|Polygon))"/.test(text))
    return 'geojson'
  return holdsArray(text) ? 'json' : 'ndjson'
}

/** True for an object with an array of objects: `{"results": [{...`. */
const holdsArray = (text: string): boolean => /^\{[^[]*"[^"]*"\s*:\s*\[\s*\{/.test(text)

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
