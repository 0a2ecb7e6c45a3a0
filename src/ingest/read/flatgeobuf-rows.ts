import { ReadableStream } from 'node:stream/web'
import type { CrsMeta } from 'flatgeobuf/lib/mjs/crs-meta.js'
import { deserialize } from 'flatgeobuf/lib/mjs/geojson.js'
import type { HeaderMeta } from 'flatgeobuf/lib/mjs/header-meta.js'
import type { Json } from '../../model/json/document.ts'
import { type CoordinateSystem, parseCoordinateSystem } from '../crs/coordinate-system.ts'
import { brokenRow, type Row } from '../row.ts'
import { InputFault } from '../source/input-fault.ts'
import type { Input } from '../source/open-input.ts'
import { documentOfFeature } from './feature-document.ts'
import { BATCH, type Reading } from './reading.ts'

/** Rows of a FlatGeobuf file, read as a stream. */
export async function readFlatGeobuf(input: Input): Promise<Reading> {
  let crs: CrsMeta | null = null
  const features = deserialize(ReadableStream.from(input.chunks) as globalThis.ReadableStream, {
    headerMetaFn: (header: HeaderMeta | null) => {
      crs = header?.crs ?? null
    },
  })
  const damaged = (error: unknown): never => {
    const why = error instanceof Error ? error.message : String(error)
    throw new InputFault(`${input.name} is a damaged FlatGeobuf file: ${why}.`)
  }
  // the header is read with the first feature
  const first = await features.next().catch(damaged)
  async function* rows(): AsyncGenerator<readonly Row[], void, undefined> {
    let batch: Row[] = []
    let line = 0
    for (let next = first; next.done !== true; next = await features.next().catch(damaged)) {
      line += 1
      const { type, properties, geometry } = next.value
      // its id is only the number of the row
      const document = documentOfFeature({ type, properties: drop(properties), geometry } as object as Json)
      batch.push(typeof document === 'string' ? brokenRow(line, document, '') : { line, document })
      if (batch.length < BATCH) continue
      yield batch
      batch = []
    }
    if (batch.length > 0) yield batch
  }
  return { rows: rows(), notes: [], ...statedCrs(crs) }
}

/** Leaves out missing values. */
const drop = (properties: object | null | undefined): object =>
  Object.fromEntries(Object.entries(properties ?? {}).filter(([, value]) => value !== null && value !== undefined))

function statedCrs(meta: CrsMeta | null): { readonly crs?: CoordinateSystem } {
  if (meta === null) return {}
  const named = meta.code > 0 ? `EPSG:${meta.code}` : (meta.wkt ?? meta.code_string ?? undefined)
  if (named === undefined || named === '') return {}
  try {
    return { crs: parseCoordinateSystem(named) }
  } catch (error) {
    if (meta.wkt === null || meta.wkt === '' || !(error instanceof InputFault)) throw error
    return { crs: parseCoordinateSystem(meta.wkt) }
  }
}
