import { call, must } from '../support/http-client.ts'
import { createIndex, deleteCollection, dropIndex, loadBulk, putCollection } from '../support/index-loading.ts'
import { PATIENT } from '../support/patience.ts'
import { collections, documents, edge, mapping, toBulk } from './dataset.ts'
import type { Vector } from './vector.ts'

/** Creates index `dataset` with the collections `geodata` and `geodata_actor`, which all examples use. */
export async function loadSample(base: string): Promise<void> {
  await createIndex(base, 'dataset', mapping, toBulk(documents()))
  for (const [name, params] of Object.entries(collections)) await putCollection(base, name, params)
  await waitForCount(base, 'geodata', 595)
}

/** Creates the small set of edge cases as index and collection `name`. */
export async function loadEdge(base: string, name: string): Promise<void> {
  await createIndex(base, name, edge.mapping, toBulk(edge.documents()))
  await putCollection(base, name, { ...edge.params, index_name: name })
  await waitForCount(base, name, edge.documents().length)
}

/** Waits for a refresh, because a cluster shows documents only after it. */
async function waitForCount(base: string, collection: string, expected: number): Promise<void> {
  const until = Date.now() + PATIENT.timeout
  for (;;) {
    const { text } = await call(base, { path: `/explore/${collection}/_count` })
    if (text.includes(`"totalnb":${expected}`)) return
    if (Date.now() > until) throw new Error(`collection ${collection} was expected to count ${expected}, got ${text}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** A private index of one vector, with its collections. */
export interface Fixture {
  readonly variables: Readonly<Record<string, string>>
  readonly reload: () => Promise<void>
  readonly remove: () => Promise<void>
}

export async function makeFixture(base: string, vector: Vector, run: string): Promise<Fixture | undefined> {
  if (vector.fixture === undefined) return undefined
  const { kind, params } = typeof vector.fixture === 'string' ? { kind: vector.fixture, params: {} } : vector.fixture
  const index = `v-${run}-${vector.id.toLowerCase().replace(/[^a-z0-9]/g, '-')}`
  const name = index.replaceAll('-', '_')
  const actor = `${name}_actor`
  const put = (collection: string, defaults: object): Promise<unknown> =>
    putCollection(base, collection, { ...defaults, ...params, index_name: index })
  const bulk = kind === 'edge' ? toBulk(edge.documents()) : toBulk(documents())
  await createIndex(base, index, kind === 'edge' ? edge.mapping : mapping, bulk)
  if (kind === 'edge') {
    await put(name, edge.params)
  } else {
    await put(name, collections.geodata)
    await put(actor, collections.geodata_actor)
  }
  await waitForCount(base, name, kind === 'edge' ? edge.documents().length : 595)
  return {
    variables: { index, collection: name, actor },
    reload: () => loadBulk(base, index, bulk),
    remove: () => removeFixture(base, index, name),
  }
}

/** Deletes the collections of a fixture, including those a vector created on its index, then the index. */
async function removeFixture(base: string, index: string, name: string): Promise<void> {
  const references = await must(base, { path: '/collections' })
  if (!Array.isArray(references)) throw new Error('GET /collections did not return an array')
  for (const reference of references as readonly { readonly collection_name: string }[]) {
    const collection = reference.collection_name
    if (collection === name || collection.startsWith(`${name}_`)) await deleteCollection(base, collection)
  }
  await dropIndex(base, index)
}
