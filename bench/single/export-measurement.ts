import { peakMemoryMiB, resetPeakMemory } from '../measure/process-figures.ts'
import { isAskedFor } from '../options.ts'

export const EXPORT_FORMATS = ['geojsonl', 'csv', 'geoparquet', 'flatgeobuf', 'shapefile'] as const

export interface ExportResult {
  readonly format: string
  readonly seconds: number
  readonly featuresPerSecond: number
  readonly mebibytes: number
  /** Time to the first byte, including spooling. */
  readonly firstByteSeconds: number
  /** Peak resident size of the server during the export; undefined if unknown. */
  readonly peakMemoryMiB?: number
}

export interface MeasuredServer {
  readonly url: string
  readonly pid: number
}

/** Exports all documents in each format, sequentially. */
export async function measureExports(
  server: MeasuredServer,
  documents: number,
  only: string,
): Promise<readonly ExportResult[]> {
  const results: ExportResult[] = []
  for (const format of EXPORT_FORMATS.filter((name) => isAskedFor(only, name))) {
    console.log(`export: ${format}`)
    results.push(await measureExport(server, format, documents))
  }
  return results
}

/** Exports the first `documents`, or all if there are fewer. */
export async function measureExport(
  { url, pid }: MeasuredServer,
  format: string,
  documents: number,
  query = '',
): Promise<ExportResult> {
  const isFresh = await resetPeakMemory(pid)
  const started = performance.now()
  const response = await fetch(`${url}/explore/bench/_search?format=${format}${query}`)
  if (response.status !== 200) throw new Error(`${format} returned ${response.status} ${await response.text()}`)
  let bytes = 0
  let first: number | undefined
  for await (const chunk of response.body ?? []) {
    first ??= performance.now()
    bytes += chunk.length
  }
  const seconds = (performance.now() - started) / 1000
  const peak = isFresh ? await peakMemoryMiB(pid) : undefined
  return {
    format,
    seconds,
    featuresPerSecond: documents / seconds,
    mebibytes: bytes / 2 ** 20,
    firstByteSeconds: ((first ?? performance.now()) - started) / 1000,
    ...(peak === undefined ? {} : { peakMemoryMiB: peak }),
  }
}
