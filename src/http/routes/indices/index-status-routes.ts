import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { IndexInfo } from '../../../engine/engine.ts'
import { sendJson } from '../../answer/send-json.ts'
import { requestSignal } from '../../request/caller.ts'
import type { Services } from '../../services.ts'
import { existing, type Named, patternOf } from './index-request.ts'
import * as schemas from './index-status-schemas.ts'
import { type Column, sendTable } from './text-table.ts'

/** Number of documents and size of indices, and health, in the forms of Elasticsearch. */
export function indexStatusRoutes(app: FastifyInstance, { engine }: Services): void {
  app.get('/index/_cat/indices', { schema: schemas.allRows }, async (request, reply) => {
    const infos = await engine.indices('*', requestSignal(request))
    return sendTable(request, reply, indexColumns, await measure(request, infos, '*'))
  })

  app.get<Named>('/index/_cat/indices/:index', { schema: schemas.someRows }, async (request, reply) => {
    const infos = await existing(engine, request)
    return sendTable(request, reply, indexColumns, await measure(request, infos, patternOf(request.params.index)))
  })

  app.get('/index/_stats', { schema: schemas.allStatistics }, async (request, reply) => {
    const infos = await engine.indices('*', requestSignal(request))
    return sendStatistics(request, reply, await measure(request, infos, '*'))
  })

  app.get<Named>('/index/:index/_stats', { schema: schemas.statistics }, async (request, reply) => {
    const infos = await existing(engine, request)
    return sendStatistics(request, reply, await measure(request, infos, patternOf(request.params.index)))
  })

  app.get('/index/_cluster/health', { schema: schemas.health }, async (request, reply) => {
    const infos = await engine.indices('*', requestSignal(request))
    return sendJson(request, reply, await readHealth(infos.length), { tag: 'none' })
  })

  app.get<Named>('/index/_cluster/health/:index', { schema: schemas.someHealth }, async (request, reply) => {
    const infos = await existing(engine, request)
    return sendJson(request, reply, await readHealth(infos.length), { tag: 'none' })
  })

  app.get('/index/_cat/health', { schema: schemas.healthRows }, async (request, reply) => {
    const infos = await engine.indices('*', requestSignal(request))
    return sendTable(request, reply, healthColumns, [await readHealth(infos.length)])
  })

  async function measure(request: FastifyRequest, infos: readonly IndexInfo[], pattern: string) {
    const signal = requestSignal(request)
    const counts = await engine.documentCounts(pattern, signal)
    const sizes = await engine.storedBytes(pattern, signal)
    return infos.map((info): Measured => {
      return { info, documents: counts.get(info.name) ?? 0, bytes: sizes.get(info.name) }
    })
  }

  /** Each index counts as one shard on one node. */
  async function readHealth(indices: number) {
    const { ok } = await engine.health()
    return {
      cluster_name: 'periplus',
      status: ok ? 'green' : 'red',
      timed_out: false,
      number_of_nodes: 1,
      number_of_data_nodes: 1,
      active_primary_shards: indices,
      active_shards: indices,
      relocating_shards: 0,
      initializing_shards: 0,
      unassigned_shards: 0,
      delayed_unassigned_shards: 0,
      number_of_pending_tasks: 0,
      number_of_in_flight_fetch: 0,
      task_max_waiting_in_queue_millis: 0,
      active_shards_percent_as_number: 100,
    }
  }

  type Health = Awaited<ReturnType<typeof readHealth>>
  const healthColumns: readonly Column<Health>[] = [
    { name: 'epoch', aliases: ['t', 'time'], isNumber: true, of: () => String(Math.floor(Date.now() / 1000)) },
    { name: 'timestamp', aliases: ['ts', 'hms', 'hhmmss'], of: () => new Date().toISOString().slice(11, 19) },
    { name: 'cluster', aliases: ['cl'], of: (health) => health.cluster_name },
    { name: 'status', aliases: ['st'], of: (health) => health.status },
    { name: 'node.total', aliases: ['nt', 'nodeTotal'], isNumber: true, of: () => '1' },
    { name: 'node.data', aliases: ['nd', 'nodeData'], isNumber: true, of: () => '1' },
    { name: 'shards', aliases: ['sh', 'shards.total'], isNumber: true, of: (health) => String(health.active_shards) },
    { name: 'pri', aliases: ['p'], isNumber: true, of: (health) => String(health.active_primary_shards) },
    { name: 'relo', aliases: ['r'], isNumber: true, of: () => '0' },
    { name: 'init', aliases: ['i'], isNumber: true, of: () => '0' },
    { name: 'unassign', aliases: ['u'], isNumber: true, of: () => '0' },
    { name: 'pending_tasks', aliases: ['pt', 'pendingTasks'], isNumber: true, of: () => '0' },
    { name: 'active_shards_percent', aliases: ['asp'], isNumber: true, of: () => '100.0%' },
  ]
}

/** An index with its number of documents and its size, if that is known. */
interface Measured {
  readonly info: IndexInfo
  readonly documents: number
  readonly bytes: number | undefined
}

const indexColumns: readonly Column<Measured>[] = [
  { name: 'health', aliases: ['h'], of: () => 'green' },
  { name: 'status', aliases: ['s'], of: () => 'open' },
  { name: 'index', aliases: ['i', 'idx'], of: ({ info }) => info.name },
  { name: 'uuid', aliases: ['id'], of: ({ info }) => info.uuid },
  { name: 'pri', aliases: ['p', 'shards.primary', 'shardsPrimary'], isNumber: true, of: () => '1' },
  { name: 'rep', aliases: ['r', 'shards.replica', 'shardsReplica'], isNumber: true, of: () => '0' },
  { name: 'docs.count', aliases: ['dc', 'docsCount'], isNumber: true, of: ({ documents }) => String(documents) },
  { name: 'docs.deleted', aliases: ['dd', 'docsDeleted'], isNumber: true, of: () => '0' },
  { name: 'store.size', aliases: ['ss', 'storeSize'], isNumber: true, of: ({ bytes }) => ({ bytes }) },
  { name: 'pri.store.size', aliases: [], isNumber: true, of: ({ bytes }) => ({ bytes }) },
]

function sendStatistics(
  request: FastifyRequest,
  reply: FastifyReply,
  measured: readonly Measured[],
): Promise<FastifyReply> {
  const both = (documents: number, bytes: number | undefined) => {
    const figures = {
      docs: { count: documents, deleted: 0 },
      ...(bytes === undefined ? {} : { store: { size_in_bytes: bytes } }),
    }
    return { primaries: figures, total: figures }
  }
  const count = measured.length
  const documents = measured.reduce((sum, one) => sum + one.documents, 0)
  const known = measured.flatMap(({ bytes }) => (bytes === undefined ? [] : [bytes]))
  const bytes = known.length === count ? known.reduce((sum, one) => sum + one, 0) : undefined
  const indices = Object.fromEntries(
    measured.map(({ info, ...figures }) => {
      const { name, uuid } = info
      return [name, { uuid, health: 'green', status: 'open', ...both(figures.documents, figures.bytes) }]
    }),
  )
  const answer = { _shards: { total: count, successful: count, failed: 0 }, _all: both(documents, bytes), indices }
  return sendJson(request, reply, answer, { tag: 'none' })
}
