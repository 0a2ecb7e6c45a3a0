import type { ClusterClient } from '../../../cluster-client/cluster-client.ts'
import { KeptAnswers } from '../../../cluster-client/kept-answers.ts'
import type { Field } from '../../../query/schema/field.ts'
import type { ClusterContext } from '../request/cluster-context.ts'
import { indexPath, LONGEST_PATH } from '../request/search-call.ts'

/**
 * Path -> type name of the cluster -> indices where the field has this type. Indices without the field are not listed.
 */
export type FieldTypes = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>

/** Same lifetime as in index-catalog.ts. */
const KEEPING = { keepMs: 5_000, renewMs: 2_500 }

/**
 * Returns the types of fields and of other paths per index. Cached for a short time per set of `Field` objects: after a
 * mapping change made or seen by this server, a schema has new objects.
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
  /** Distinguishes different fields with the same path. */
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

/** `_field_caps`: by path and type, with the indices if a field has several types. */
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

/** Returns `*` if the requested names are too long for a query string. */
function listOf(paths: readonly string[]): string {
  const list = paths.join(',')
  return encodeURIComponent(list).length > LONGEST_PATH / 3 ? '*' : list
}

/** Splits names into groups that fit into a path. */
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
