import type { ClusterClient } from '../../../cluster-client/cluster-client.ts'
import { KeptAnswers } from '../../../cluster-client/kept-answers.ts'
import type { Field } from '../../../query/schema/field.ts'
import type { ClusterContext } from '../request/cluster-context.ts'
import { indexPath, LONGEST_PATH } from '../request/search-call.ts'

/** By path and the cluster's own name of a type, the indices where the field has it; those that lack it are in none. */
export type FieldTypes = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>

/** As long as the catalogue of indices keeps what it knows. */
const KEEPING = { keepMs: 5_000, renewMs: 2_500 }

/**
 * The types of fields, and of others named by their paths, index by index. They are kept for a moment, as long as the
 * fields are the same objects: after a change of a mapping that this server has made or seen, a schema has new ones.
 */
export async function readFieldTypes(
  { client }: Pick<ClusterContext, 'client'>,
  indices: readonly string[],
  fields: readonly Field[],
  others: readonly string[],
  signal?: AbortSignal,
): Promise<FieldTypes> {
  const paths = [...new Set([...fields.map(({ path }) => path), ...others])].sort()
  const question: Question = { indices, paths, fields: fields.map(numberOf).sort((a, b) => a - b) }
  return answersOf(client).get(JSON.stringify(question), signal)
}

interface Question {
  readonly indices: readonly string[]
  readonly paths: readonly string[]
  /** Tell apart fields that are called the same. */
  readonly fields: readonly number[]
}

const answers = new WeakMap<ClusterClient, KeptAnswers<FieldTypes>>()

function answersOf(client: ClusterClient): KeptAnswers<FieldTypes> {
  const known = answers.get(client)
  if (known !== undefined) return known
  const made = new KeptAnswers((question) => ask(client, JSON.parse(question)), KEEPING)
  answers.set(client, made)
  return made
}

const numbers = new WeakMap<Field, number>()
let last = 0

function numberOf(field: Field): number {
  const number = numbers.get(field) ?? ++last
  numbers.set(field, number)
  return number
}

/** `_field_caps`: by path and type, with the indices when there are several types. */
interface FieldCapabilities {
  readonly fields: Readonly<Record<string, Readonly<Record<string, { readonly indices?: readonly string[] | string }>>>>
}

async function ask(client: ClusterClient, { indices, paths }: Question): Promise<FieldTypes> {
  const types = new Map<string, Map<string, string[]>>()
  for (const group of groupsOf(indices)) {
    const answer = await client.send<FieldCapabilities>({
      method: 'GET',
      path: `${indexPath(group)}/_field_caps`,
      query: { fields: listOf(paths), include_unmapped: true },
    })
    for (const [path, byType] of Object.entries(answer.fields)) {
      const known = types.get(path) ?? new Map<string, string[]>()
      types.set(path, known)
      for (const [type, { indices: named = group }] of Object.entries(byType)) {
        if (type !== 'unmapped') known.set(type, [...(known.get(type) ?? []), ...[named].flat()])
      }
    }
  }
  return types
}

/** All fields where the names of those asked for do not fit into a query. */
function listOf(paths: readonly string[]): string {
  const list = paths.join(',')
  return encodeURIComponent(list).length > LONGEST_PATH / 3 ? '*' : list
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
