import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Geometry } from '../../src/model/geometry.ts'

const run = promisify(execFile)

/** A feature as read by GDAL. */
export interface ReadFeature {
  readonly geometry: Geometry | null
  readonly properties: Readonly<Record<string, unknown>>
}

/** A layer of a file, with the metadata reported by GDAL. */
export interface Layer {
  readonly name: string
  readonly geometryType: string
  readonly count: number
  /** West, south, east, north, with six decimals. */
  readonly extent?: readonly number[]
  readonly fields: ReadonlyMap<string, string>
  readonly features: readonly ReadFeature[]
}

interface ReadOptions {
  /** Drivers to skip. */
  readonly without?: readonly string[]
  /** Open options of the driver, as `NAME=VALUE`. */
  readonly openOptions?: readonly string[]
  /** Writes longitude first, regardless of the axis order of the reference system. */
  readonly longitudeFirst?: boolean
}

/** Reads all layers of a file with GDAL. Throws if GDAL prints a warning. */
export async function readWithGdal(path: string, options: ReadOptions = {}): Promise<readonly Layer[]> {
  const { without = [], openOptions = [], longitudeFirst = false } = options
  const source = [
    ...(without.length === 0 ? [] : ['--config', 'OGR_SKIP', without.join(',')]),
    ...openOptions.flatMap((option) => ['-oo', option]),
  ]
  const summary = await quietly('ogrinfo', [...source, '-al', '-so', path])
  const layers: Layer[] = []
  for (const text of summary.split(/^Layer name: /m).slice(1)) {
    const name = text.slice(0, text.indexOf('\n'))
    const precision = ['-lco', 'SIGNIFICANT_FIGURES=17', ...(longitudeFirst ? ['-t_srs', 'OGC:CRS84'] : [])]
    const written = await quietly('ogr2ogr', [...source, '-f', 'GeoJSON', ...precision, '/vsistdout/', path, name])
    const { features } = parseExactly(written) as { readonly features: readonly ReadFeature[] }
    layers.push({ name, ...describeLayer(text), features })
  }
  return layers
}

async function quietly(program: string, args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await run(program, args, { maxBuffer: 2 ** 30 })
  if (stderr !== '') throw new Error(`${program} ${args.join(' ')} printed warnings: ${stderr}`)
  return stdout
}

function describeLayer(text: string): Pick<Layer, 'geometryType' | 'count' | 'extent' | 'fields'> {
  const extent = /^Extent: \((.*), (.*)\) - \((.*), (.*)\)$/m.exec(text)
  const fields = [...text.matchAll(/^(.+): (\w+(?:\(\w+\))?) \(\d+\.\d+\)/gm)]
  return {
    geometryType: /^Geometry: (.*)$/m.exec(text)?.[1] ?? '',
    count: Number(/^Feature Count: (\d+)$/m.exec(text)?.[1]),
    ...(extent === null ? {} : { extent: extent.slice(1).map(Number) }),
    fields: new Map(fields.map(([, name = '', type = '']) => [name, type])),
  }
}

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown
/** The type declarations do not have the third argument yet. */
const parseWith = JSON.parse as (text: string, reviver: Reviver) => unknown

/** Parses JSON; integers that doubles cannot represent become bigints. */
export const parseExactly = (text: string): unknown =>
  parseWith(text, (_, value, { source = '' }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? BigInt(source) : value,
  )
