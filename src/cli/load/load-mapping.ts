import { readFileSync } from 'node:fs'
import { inferMapping } from '../../mapping/infer-mapping.ts'
import { parseMapping } from '../../mapping/mapping-parser.ts'
import type { JsonObject } from '../../model/json/document.ts'
import { isRecord } from '../../model/json/json-object.ts'
import type { Mapping } from '../../model/mapping.ts'
import { ask, type Connection } from '../client/connection.ts'
import { CliFault } from '../terminal/cli-fault.ts'

/** Mapping used for a load, and its origin. */
export interface LoadMapping {
  readonly mapping: Mapping
  readonly origin: 'index' | 'file' | 'sample'
  readonly notes: readonly string[]
}

/** Returns the mapping of the index if it exists, else of the file, else the one inferred from the sample. */
export async function chooseMapping(
  connection: Connection,
  index: string,
  file: string | undefined,
  sample: readonly JsonObject[],
): Promise<LoadMapping> {
  const known = await mappingOfIndex(connection, index)
  if (known !== undefined) {
    if (file === undefined) return { mapping: known, origin: 'index', notes: [] }
    throw new CliFault(
      `Index ${index} exists and has a mapping: omit --mapping, or drop the index first ("periplus index drop ${index}").`,
    )
  }
  if (file !== undefined) return { ...readMappingFile(file), origin: 'file' }
  return { mapping: inferMapping(sample), origin: 'sample', notes: [] }
}

async function mappingOfIndex(connection: Connection, index: string): Promise<Mapping | undefined> {
  const path = `/index/${encodeURIComponent(index)}/_mapping`
  const answer = await connection.send('GET', path)
  if (answer.status === 404) return undefined
  const content = await ask(connection, 'GET', path)
  return parseMapping(innerMapping(content)).mapping
}

function readMappingFile(file: string): Pick<LoadMapping, 'mapping' | 'notes'> {
  let content: unknown
  try {
    content = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new CliFault(
      `The mapping file ${file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`,
    )
  }
  return parseMapping(innerMapping(content))
}

/** Accepts a bare mapping, one under `mappings`, or one under an index name as returned by `_mapping`. */
function innerMapping(content: unknown): unknown {
  if (!isRecord(content) || 'properties' in content) return content
  if ('mappings' in content) return content.mappings
  const [only, ...others] = Object.values(content)
  return others.length === 0 && isRecord(only) && 'mappings' in only ? only.mappings : content
}
