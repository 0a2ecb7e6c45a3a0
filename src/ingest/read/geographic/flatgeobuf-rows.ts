import { Readable } from 'node:stream'
import { ByteBuffer } from 'flatbuffers'
import type { CrsMeta } from 'flatgeobuf/lib/mjs/crs-meta.js'
import { Feature } from 'flatgeobuf/lib/mjs/flat-geobuf/feature.js'
import { fromFeature } from 'flatgeobuf/lib/mjs/geojson/feature.js'
import { fromByteBuffer, type HeaderMeta } from 'flatgeobuf/lib/mjs/header-meta.js'
import type { Json, JsonObject } from '../../../model/json/document.ts'
import { type CoordinateSystem, parseCoordinateSystem } from '../../crs/coordinate-system.ts'
import { brokenRow, type Row } from '../../row.ts'
import { InputFault } from '../../source/input-fault.ts'
import type { Input } from '../../source/open-input.ts'
import { ByteReader } from '../shared/byte-reader.ts'
import { documentOfFeature } from '../shared/feature-document.ts'
import { BATCH, type Reading } from '../shared/reading.ts'

const MAGIC_BYTES = 8
const LONGEST_HEADER = 16 * 1024 * 1024
const LONGEST_FEATURE = 256 * 1024 * 1024
/** Bytes of a node of the index: four coordinates and an offset. */
const NODE_BYTES = 40

/** Rows of a FlatGeobuf file (flatgeobuf.org, version 3), read as a stream. The lengths it states are bounded. */
export async function readFlatGeobuf(input: Input): Promise<Reading> {
  const reader = new ByteReader(Readable.from(input.chunks))
  await reader.take(MAGIC_BYTES)
  const header = readHeader(await takeSized(reader, LONGEST_HEADER, input.name), input.name)
  const rows = rowsOf(reader, header, input.name)
  return { rows, notes: [], ...statedCrs(header.crs) }
}

/** Returns the next part with its length before it, as flatbuffers expect; undefined at the end. */
async function takeSized(reader: ByteReader, longest: number, name: string): Promise<Uint8Array | undefined> {
  const prefix = await reader.take(4)
  if (prefix === undefined) return undefined
  const length = prefix.readUInt32LE(0)
  const content = length > longest ? undefined : await reader.take(length)
  if (content === undefined) throw damaged(name)
  // aligned, because numbers are read in place
  const bytes = new Uint8Array(4 + length)
  new DataView(bytes.buffer).setUint32(0, length, true)
  bytes.set(content, 4)
  return bytes
}

function readHeader(bytes: Uint8Array | undefined, name: string): HeaderMeta {
  if (bytes === undefined) throw damaged(name)
  try {
    return fromByteBuffer(new ByteBuffer(bytes))
  } catch {
    throw damaged(name)
  }
}

async function* rowsOf(
  reader: ByteReader,
  header: HeaderMeta,
  name: string,
): AsyncGenerator<readonly Row[], void, undefined> {
  try {
    await skip(reader, indexBytes(header), name)
    let batch: Row[] = []
    for (let line = 1; ; line++) {
      const bytes = await takeSized(reader, LONGEST_FEATURE, name)
      if (bytes === undefined) break
      batch.push(rowOf(bytes, header, line))
      if (batch.length < BATCH) continue
      yield batch
      batch = []
    }
    if (batch.length > 0) yield batch
  } finally {
    reader.close()
  }
}

/** Length of the index between header and features: a tree, packed level by level. */
function indexBytes({ featuresCount, indexNodeSize }: HeaderMeta): number {
  if (indexNodeSize < 2 || featuresCount === 0) return 0
  let level = featuresCount
  let nodes = level
  while (level > 1) {
    level = Math.ceil(level / indexNodeSize)
    nodes += level
  }
  return nodes * NODE_BYTES
}

const STEP = 1024 * 1024

async function skip(reader: ByteReader, bytes: number, name: string): Promise<void> {
  for (let left = bytes; left > 0; left -= STEP) {
    if ((await reader.take(Math.min(left, STEP))) === undefined) throw damaged(name)
  }
}

function rowOf(bytes: Uint8Array, header: HeaderMeta, line: number): Row {
  let document: JsonObject | string
  try {
    const { type, properties, geometry } = fromFeature(
      line,
      Feature.getSizePrefixedRootAsFeature(new ByteBuffer(bytes)),
      header,
    )
    // its id is only the number of the row
    document = documentOfFeature({ type, properties: present(properties), geometry } as object as Json)
  } catch {
    document = 'is not a valid feature'
  }
  return typeof document === 'string' ? brokenRow(line, document, '') : { line, document }
}

/** Leaves out missing values. */
const present = (properties: object | null | undefined): object =>
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

const damaged = (name: string): InputFault => new InputFault(`${name} is a damaged FlatGeobuf file.`)
