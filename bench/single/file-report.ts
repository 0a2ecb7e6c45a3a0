import type { LoadResult } from '../measure/loading.ts'
import { ms, table } from '../report/table.ts'
import type { ExportResult } from './export-measurement.ts'
import type { TileResult } from './tile-measurement.ts'

export interface FileReport {
  readonly documents: number
  readonly seed: number
  readonly date: string
  readonly machine: string
  readonly load: LoadResult
  /** Resident size of the server after loading. */
  readonly idleMemoryMiB?: number
  readonly exports: readonly ExportResult[]
  readonly tiles: readonly TileResult[]
}

const whole = (value: number): string => Math.round(value).toString()
const memory = (mebibytes: number | undefined): string => (mebibytes === undefined ? '-' : `${mebibytes} MiB`)

export function renderFileReport({ documents, load, idleMemoryMiB, exports, tiles }: FileReport): string {
  const exported = exports.map((result) => [
    result.format,
    whole(result.featuresPerSecond),
    `${result.seconds.toFixed(1)} s`,
    `${result.firstByteSeconds.toFixed(1)} s`,
    `${result.mebibytes.toFixed(1)} MiB`,
    memory(result.peakMemoryMiB),
  ])
  const drawn = tiles.map(({ kind, zoom, alone, tilesPerSecond, medianBytes }) => [
    `${kind}, zoom ${zoom}`,
    ms(alone.median),
    ms(alone.p95),
    tilesPerSecond.toFixed(1),
    `${(medianBytes / 1024).toFixed(1)} KiB`,
  ])
  const loaded = `${documents} documents, loaded at ${whole(load.documentsPerSecond)} per second; memory after it: ${memory(idleMemoryMiB)}`
  return [
    loaded,
    table([['export', 'features/s', 'time', 'first byte', 'size', 'peak memory'], ...exported]),
    table([['tiles (ms)', 'median', 'p95', 'tiles/s', 'median size'], ...drawn]),
  ].join('\n\n')
}
