import { countedAs, type MappingType } from '../../model/mapping.ts'
import type { Field } from '../../query/field.ts'
import { typeOf } from '../../query/schema.ts'
import type { ClusterContext } from './cluster-context.ts'
import { indexPath, LONGEST_PATH } from './search-call.ts'

/** Where documents hold the values of a field. */
export interface FieldSource {
  /** Its own path; of a sub-field, which no document has, that of the field it belongs to too. */
  readonly paths: readonly string[]
  /** Indices where the field has its type: in others its values do not count. Absent: all. */
  readonly indices?: ReadonlySet<string>
}

/** `_field_caps`: by path and cluster type, with the indices when there are several types. */
interface FieldTypes {
  readonly fields: Readonly<Record<string, Readonly<Record<string, { readonly indices?: readonly string[] | string }>>>>
}

/** Finds out where the values of fields are to be read in documents of these indices. */
export async function readFieldSources(
  context: ClusterContext,
  indices: readonly string[],
  fields: readonly Field[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, FieldSource>> {
  const parents = fields.flatMap(({ path }) => parentOf(path) ?? [])
  if (indices.length === 1 && parents.length === 0) return new Map(fields.map(({ path }) => [path, { paths: [path] }]))
  const types = new IndexTypes()
  for (const group of groupsOf(indices))
    await types.read(context, group, [...fields.map((f) => f.path), ...parents], signal)
  return new Map(fields.map((field) => [field.path, sourceOf(field, indices, types)]))
}

function parentOf(path: string): string | undefined {
  const dot = path.lastIndexOf('.')
  return dot < 0 ? undefined : path.slice(0, dot)
}

function sourceOf(field: Field, indices: readonly string[], types: IndexTypes): FieldSource {
  const parent = parentOf(field.path)
  const isSubField = parent !== undefined && indices.some((index) => isLeaf(types.of(parent, index)))
  const paths = isSubField ? [field.path, parent] : [field.path]
  if (indices.length === 1) return { paths }
  return { paths, indices: new Set(indices.filter((index) => countsAs(types.of(field.path, index)) === field.type)) }
}

const isLeaf = (type: string | undefined): boolean => type !== undefined && type !== 'object' && type !== 'nested'

const countsAs = (type: string | undefined): Field['type'] | undefined =>
  type === undefined ? undefined : typeOf(countedAs[type] ?? (type as MappingType))

/** The types of fields, index by index. */
class IndexTypes {
  readonly #types = new Map<string, Map<string, string>>()

  async read(
    { client }: ClusterContext,
    indices: readonly string[],
    paths: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { fields } = await client.send<FieldTypes>({
      method: 'GET',
      path: `${indexPath(indices)}/_field_caps`,
      query: { fields: [...new Set(paths)].join(','), include_unmapped: true },
      ...(signal === undefined ? {} : { signal }),
    })
    for (const [path, byType] of Object.entries(fields)) {
      const known = this.#types.get(path) ?? new Map<string, string>()
      this.#types.set(path, known)
      for (const [type, entry] of Object.entries(byType)) {
        if (type === 'unmapped') continue
        for (const index of [entry.indices ?? indices].flat()) known.set(index, type)
      }
    }
  }

  of(path: string, index: string): string | undefined {
    return this.#types.get(path)?.get(index)
  }
}

/** Names that fit into a path together. */
function groupsOf(indices: readonly string[]): readonly (readonly string[])[] {
  const groups: string[][] = []
  let length = Number.POSITIVE_INFINITY
  for (const index of indices) {
    length += encodeURIComponent(index).length + 1
    if (length > LONGEST_PATH / 2) {
      groups.push([])
      length = index.length
    }
    groups.at(-1)?.push(index)
  }
  return groups
}
