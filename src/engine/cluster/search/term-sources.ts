import type { WireObject } from '../../../cluster-client/cluster-client.ts'
import type { Field } from '../../../query/schema/field.ts'
import type { ClusterContext } from '../request/cluster-context.ts'
import { LONGEST_PATH } from '../request/search-call.ts'

/** Location of the terms of a field. */
export interface TermSource {
  readonly field: Field
  /** Indices that have the field with its type. */
  readonly indices: readonly string[]
  /** True if the cluster can list the terms; else documents are read. */
  readonly listed: boolean
  /** Path of the values in documents. For a sub-field, the path of its parent field. */
  readonly sourcePath: string
}

const TYPES: Readonly<Record<string, ReadonlySet<unknown>>> = {
  KEYWORD: new Set(['keyword', 'wildcard', 'constant_keyword', 'alias']),
  TEXT: new Set(['text', 'match_only_text', 'alias']),
}

/** Reads the mapping details of the fields that `Field` does not contain. */
export async function findTermSources(
  context: ClusterContext,
  indices: readonly string[],
  fields: readonly Field[],
  signal?: AbortSignal,
): Promise<readonly TermSource[]> {
  const paths = new Set(fields.flatMap(({ path }) => [path, parentOf(path) ?? path]))
  const definitions = new Map<string, Map<string, WireObject>>()
  for (const someIndices of joinedNames(indices)) {
    for (const somePaths of joinedNames([...paths])) {
      await addDefinitions(context, `/${someIndices}/_mapping/field/${somePaths}`, definitions, signal)
    }
  }
  return fields.map((field) => sourceOf(field, indices, definitions))
}

/** By index and path. */
type Definitions = ReadonlyMap<string, ReadonlyMap<string, WireObject>>

type FieldMappings = Readonly<
  Record<
    string,
    { readonly mappings: Readonly<Record<string, { readonly mapping: Readonly<Record<string, WireObject>> }>> }
  >
>

async function addDefinitions(
  { client }: ClusterContext,
  path: string,
  definitions: Map<string, Map<string, WireObject>>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const answer = await client.send<FieldMappings>({ method: 'GET', path, ...(signal ? { signal } : {}) })
  for (const [index, { mappings }] of Object.entries(answer)) {
    const known = definitions.get(index) ?? new Map<string, WireObject>()
    definitions.set(index, known)
    for (const [field, { mapping }] of Object.entries(mappings)) {
      for (const definition of Object.values(mapping)) known.set(field, definition)
    }
  }
}

/** Joins names with commas into lists short enough for two of them to fit into a path. */
function joinedNames(names: readonly string[]): readonly string[] {
  const lists: string[] = []
  for (const name of names.map(encodeURIComponent)) {
    const last = lists.pop()
    if (last === undefined) lists.push(name)
    else if (last.length + name.length < LONGEST_PATH / 2 - 20) lists.push(`${last},${name}`)
    else lists.push(last, name)
  }
  return lists
}

function parentOf(path: string): string | undefined {
  const dot = path.lastIndexOf('.')
  return dot < 0 ? undefined : path.slice(0, dot)
}

function sourceOf(field: Field, indices: readonly string[], definitions: Definitions): TermSource {
  const { path, type } = field
  const definition = (index: string, of: string): WireObject | undefined => definitions.get(index)?.get(of)
  const having = indices.filter((index) => TYPES[type]?.has(definition(index, path)?.type))
  const parent = parentOf(path)
  const isSubField = parent !== undefined && having.some((index) => definition(index, parent) !== undefined)
  return {
    field,
    indices: having,
    listed: type === 'KEYWORD' || having.every((index) => definition(index, path)?.fielddata === true),
    sourcePath: isSubField ? parent : path,
  }
}
