import { readFileSync } from 'node:fs'
import { parseMapping } from '../../mapping/mapping-parser.ts'
import { isRecord } from '../../model/json/json-object.ts'
import type { Mapping } from '../../model/mapping.ts'
import { CliFault } from '../terminal/cli-fault.ts'

/** Reads the mapping of a new index, and the parts of it that are ignored. */
export function readMappingFile(file: string): { readonly mapping: Mapping; readonly notes: readonly string[] } {
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
export function innerMapping(content: unknown): unknown {
  if (!isRecord(content) || 'properties' in content) return content
  if ('mappings' in content) return content.mappings
  const [only, ...others] = Object.values(content)
  return others.length === 0 && isRecord(only) && 'mappings' in only ? only.mappings : content
}
