import { countedAs, type MappingType } from '../../../model/mapping.ts'
import type { Field } from '../../../query/schema/field.ts'
import { typeOf } from '../../../query/schema/schema.ts'
import type { ClusterContext } from '../request/cluster-context.ts'
import { type FieldTypes, readFieldTypes } from './field-types.ts'

/** Location of the values of a field in documents. */
export interface FieldSource {
  /** Path of the field. A sub-field does not exist in documents, so the path of its parent field is included too. */
  readonly paths: readonly string[]
  /** Indices where the field has its type; in others its values are ignored. Absent: all indices. */
  readonly indices?: ReadonlySet<string>
}

/** Returns where the values of fields are found in documents of these indices. */
export async function readFieldSources(
  context: ClusterContext,
  indices: readonly string[],
  fields: readonly Field[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, FieldSource>> {
  const parents = fields.flatMap(({ path }) => parentOf(path) ?? [])
  if (indices.length === 1 && parents.length === 0) return new Map(fields.map(({ path }) => [path, { paths: [path] }]))
  const types = await readFieldTypes(context, indices, fields, parents, signal)
  return new Map(fields.map((field) => [field.path, sourceOf(field, indices, types)]))
}

function parentOf(path: string): string | undefined {
  const dot = path.lastIndexOf('.')
  return dot < 0 ? undefined : path.slice(0, dot)
}

function sourceOf(field: Field, indices: readonly string[], types: FieldTypes): FieldSource {
  const parent = parentOf(field.path)
  const isSubField = parent !== undefined && indices.some((index) => isLeaf(typeIn(types, parent, index)))
  const paths = isSubField ? [field.path, parent] : [field.path]
  if (indices.length === 1) return { paths }
  return {
    paths,
    indices: new Set(indices.filter((index) => countsAs(typeIn(types, field.path, index)) === field.type)),
  }
}

const isLeaf = (type: string | undefined): boolean => type !== undefined && type !== 'object' && type !== 'nested'

const countsAs = (type: string | undefined): Field['type'] | undefined =>
  type === undefined ? undefined : typeOf(countedAs[type] ?? (type as MappingType))

function typeIn(types: FieldTypes, path: string, index: string): string | undefined {
  for (const [type, indices] of types.get(path) ?? []) if (indices.includes(index)) return type
  return undefined
}
