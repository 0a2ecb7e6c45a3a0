import type { EngineUnderTest } from '../../support/engines.ts'
import { type GuardedServer, startGuardedServer } from '../access/guarded-server.ts'

/**
 * Two servers that differ only in what is hidden from tenant A: one has the documents of tenant B and the hidden
 * columns, the other does not. Both must return the same responses to A.
 */
export interface TwoWorlds {
  readonly whole: GuardedServer
  readonly without: GuardedServer
  stop(): Promise<void>
}

/** Headers that the proxy adds to requests of tenant A. */
export const tenantA: Readonly<Record<string, string>> = {
  'partition-filter': '{"f":[[{"field":"tenant","op":"eq","value":"A"}]]}',
  'column-filter': 'shared:seen,shared:amount,shared:words,shared:obj.open,shared:shape',
  'arlas-organization': 'a',
  'x-user': 'ann',
}

/** Headers that narrow tenant A, each of them alone. */
export const narrowing = ['partition-filter', 'column-filter', 'arlas-organization'] as const

/** Those that narrow the view of a visible collection. */
export const viewNarrowing = ['partition-filter', 'column-filter'] as const

/** Tenant B, whose tags and subscriptions exist in one world only. */
export const tenantB: Readonly<Record<string, string>> = {
  'partition-filter': '{"f":[[{"field":"tenant","op":"eq","value":"B"}]]}',
  'arlas-organization': 'b',
  'x-user': 'bob',
}

const seenProperties = {
  id: { type: 'keyword' },
  time: { type: 'date' },
  place: { type: 'geo_point' },
  shape: { type: 'geo_shape' },
  tenant: { type: 'keyword' },
  seen: { type: 'keyword' },
  amount: { type: 'integer' },
  words: { type: 'text' },
}
const open = { type: 'keyword' }
const hiddenProperties = {
  leak_key: { type: 'keyword' },
  leak_num: { type: 'integer' },
  leak_date: { type: 'date' },
  leak_place: { type: 'geo_point' },
  leak_shape: { type: 'geo_shape' },
  leak_text: { type: 'text' },
}

const square = (at: number) => ({
  type: 'Polygon',
  coordinates: [
    [
      [at, at],
      [at + 1, at],
      [at + 1, at + 1],
      [at, at + 1],
      [at, at],
    ],
  ],
})

function documentOf(tenant: 'A' | 'B', i: number, withHidden: boolean) {
  const at = tenant === 'A' ? i : 40 + i
  const hidden = {
    leak_key: `leaked${i % 2}`,
    leak_num: 900 + i,
    leak_date: 1_000 * i,
    leak_place: `${at},${at}`,
    leak_shape: square(at),
    leak_text: `leaked words of ${tenant}${i}`,
  }
  return {
    id: `${tenant}${i}`,
    time: (tenant === 'A' ? 0 : 500_000_000_000) + i * 86_400_000,
    place: `${at},${at}`,
    shape: square(at),
    tenant,
    seen: tenant === 'A' ? `av${i % 2}` : `bv${i % 3}`,
    amount: tenant === 'A' ? i : 70 + i,
    words: tenant === 'A' ? `plain words ${i}` : `bwords ${i}`,
    obj: { open: `${tenant.toLowerCase()}o${i % 2}`, ...(withHidden ? { leak_inner: `leaked${i}` } : {}) },
    ...(withHidden ? hidden : {}),
  }
}

const reference = {
  id_path: 'id',
  geometry_path: 'place',
  centroid_path: 'place',
  timestamp_path: 'time',
  // Otherwise these would be random, or the time of creation.
  dublin_core_element_name: { identifier: 'the same in both', date: '2024-01-01T00:00:00' },
  taggable_fields: 'seen,amount,words,obj.open,labels,leak_key,leak_num,leak_place,obj.leak_inner,tenant,nowhere',
  // Fewer than all documents, more than those of tenant A.
  update_max_hits: 5,
}

type Settings = Readonly<Record<string, string>>

async function startWorld(engine: EngineUnderTest, withHidden: boolean, more: Settings): Promise<GuardedServer> {
  const settings = {
    'server.publicUrl': 'http://test.example',
    'engine.memoryMiB': '128',
    'engine.threads': '1',
    'subscriptions.identity.header': 'x-user',
    ...more,
  }
  const server = await startGuardedServer(settings, () => Date.UTC(2024, 0, 1), engine.space?.())
  const must = async (method: string, path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await server.ask(path, headers, { method, body })
    if (answer.status !== 200 && answer.status !== 201)
      throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
  }
  const inner = { properties: { open, ...(withHidden ? { leak_inner: { type: 'keyword' } } : {}) } }
  const properties = { ...seenProperties, obj: inner, ...(withHidden ? hiddenProperties : {}) }
  for (const index of ['shared', 'private']) await must('PUT', `/index/${index}`, { mappings: { properties } })
  const ofA = [0, 1, 2, 3].map((i) => documentOf('A', i, withHidden))
  const ofB = withHidden ? [0, 1, 2, 3, 4, 5].map((i) => documentOf('B', i, true)) : []
  const load = async (index: string, documents: readonly { readonly id: string }[]) => {
    const lines = documents.flatMap((one) => [JSON.stringify({ index: { _id: one.id } }), JSON.stringify(one)])
    if (lines.length === 0) return
    await must('POST', `/index/${index}/_bulk?refresh=true`, `${lines.join('\n')}\n`, {
      'content-type': 'application/x-ndjson',
    })
  }
  await load('shared', [...ofB, ...ofA])
  await load('private', ofB)
  const put = (name: string, index_name: string, organisations: object) =>
    must('PUT', `/collections/${name}`, { ...reference, index_name, organisations })
  await put('shared', 'shared', { owner: 'b', shared: ['a'] })
  await put('private', 'private', { owner: 'b' })
  if (withHidden) await writeAsB(must)
  return server
}

type Must = (method: string, path: string, body: unknown, headers: Settings) => Promise<void>

/** Requests of others, with and without a narrower view. A must neither see nor count them. */
async function writeAsB(must: Must): Promise<void> {
  const tag = { tag: { path: 'seen', value: 'bv9' }, label: 'bv' }
  for (const headers of [{}, tenantB, { 'partition-filter': tenantA['partition-filter'] ?? '' }]) {
    await must('POST', '/write/shared/_tag', tag, headers)
  }
  const subscription = {
    callback: 'https://hooks.example.com/bv',
    trigger: { event: ['UPDATE'], collections: ['shared'] },
    hits: { filter: '' },
  }
  const times = { active: true, starts_at: 0, expires_at: 4_000_000_000 }
  await must('POST', '/subscriptions', { created_by: 'bob', title: 'bv', ...times, subscription }, tenantB)
}

/** `settings` apply to both servers. */
export async function startTwoWorlds(engine: EngineUnderTest, settings: Settings = {}): Promise<TwoWorlds> {
  const [whole, without] = await Promise.all(
    [true, false].map((withHidden) => startWorld(engine, withHidden, settings)),
  )
  if (whole === undefined || without === undefined) throw new Error('a world is missing')
  return {
    whole,
    without,
    stop: async () => {
      await Promise.all([whole.stop(), without.stop()])
    },
  }
}
