import { feature } from 'topojson-client'
import type { GeometryObject, Properties, Topology } from 'topojson-specification'
import type { Json } from '../../../model/json/document.ts'
import { isRecord } from '../../../model/json/json-object.ts'
import { parseJsonText } from '../../parse-document.ts'
import { brokenRow, type Row } from '../../row.ts'
import { InputFault } from '../../source/input-fault.ts'
import type { Input } from '../../source/open-input.ts'
import { documentOfFeature } from '../shared/feature-document.ts'
import { chooseLayer } from '../shared/layer.ts'
import { readWhole } from '../shared/read-whole.ts'
import { BATCH, type Reading, type ReadOptions } from '../shared/reading.ts'

const LARGEST = 256 * 1024 * 1024

/** Rows of one object of a TopoJSON file. Arcs are shared, so the file is read whole. */
export async function readTopoJson(input: Input, { layer }: ReadOptions): Promise<Reading> {
  const bytes = await readWhole(input.chunks, input.name, LARGEST)
  const parsed = parseJsonText(bytes.toString('utf8').replace(/^\ufeff/, ''))
  if (typeof parsed === 'string') throw new InputFault(`${input.name} ${parsed}.`)
  const topology: unknown = parsed.value
  if (!isTopology(topology)) throw new InputFault(`${input.name} is not TopoJSON: it has no objects and arcs.`)
  const { chosen, notes } = chooseLayer(Object.keys(topology.objects), layer, input.name, 'object')
  const object = topology.objects[chosen]
  return { rows: object === undefined ? none() : rowsOf(topology, object), notes }
}

type Member = GeometryObject<Properties>

async function* rowsOf(topology: Topology, object: Member): AsyncGenerator<readonly Row[], void, undefined> {
  const members = object.type === 'GeometryCollection' ? object.geometries : [object]
  for (let start = 0; start < members.length; start += BATCH) {
    yield members.slice(start, start + BATCH).map((member, at) => rowOf(topology, member, start + at + 1))
  }
}

function rowOf(topology: Topology, member: Member, line: number): Row {
  let document: ReturnType<typeof documentOfFeature>
  try {
    // the types of GeoJSON are mutable and have index signatures of another kind; the value is plain JSON
    document = documentOfFeature(feature(topology, member) as object as Json)
  } catch {
    document = 'refers to arcs that do not exist'
  }
  return typeof document === 'string' ? brokenRow(line, document, JSON.stringify(member)) : { line, document }
}

async function* none(): AsyncGenerator<readonly Row[], void, undefined> {}

const isTopology = (value: unknown): value is Topology =>
  isRecord(value) && value.type === 'Topology' && isRecord(value.objects) && Array.isArray(value.arcs)
