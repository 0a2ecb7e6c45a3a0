import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { problem } from '../../../errors.ts'
import { parseBulk } from '../../../ingest/bulk-request.ts'
import { bulkResponse, itemResult, printBulkResponse } from '../../../ingest/bulk-response.ts'
import { runBulk } from '../../../ingest/run-bulk.ts'
import { JSON_CONTENT_TYPE, sendJson } from '../../answer/send-json.ts'
import { noteWrites } from '../../auth/audit-log.ts'
import { rawBody } from '../../request/body/json-body.ts'
import { requestSignal } from '../../request/caller.ts'
import { readParameters } from '../../request/parameters.ts'
import type { Services } from '../../services.ts'
import { existing, type Named, wantsRefresh, writeOptions } from './index-request.ts'
import * as schemas from './index-schemas.ts'
import { writeOne } from './write-one.ts'

interface Identified {
  Params: { index: string; id: string }
}

/** Document routes of indices: write and read them. */
export function indexDocumentRoutes(app: FastifyInstance, services: Services): void {
  const { engine, settings } = services
  const accepts = [...schemas.jsonTypes, ...schemas.lineTypes]
  // no time limit for loading: the client decides when to give up
  const loading = {
    bodyLimit: settings.limits.bulkBytes,
    config: { accepts, timeLimit: false },
  }
  const config = { accepts: schemas.jsonTypes }
  const reading = { ...config, readOnly: true }

  const bulk = async (request: FastifyRequest, reply: FastifyReply, index: string | undefined) => {
    const started = performance.now()
    const isSeen = wantsRefresh(request)
    const items = parseBulk(bytesOf(request), index)
    const results = await runBulk(engine, items, writeOptions(request))
    noteWrites(request, items, results)
    if (isSeen) await refreshAll(new Set(items.filter((_item, at) => results[at]?.ok).map((item) => item.index)))
    const took = Math.round(performance.now() - started)
    if (readParameters(request).boolean('pretty') === true) {
      return sendJson(request, reply, bulkResponse(items, results, took))
    }
    return reply.header('content-type', JSON_CONTENT_TYPE).send(printBulkResponse(items, results, took))
  }
  const refreshAll = async (indices: ReadonlySet<string>) => {
    for (const index of indices) await engine.refresh(index)
  }
  for (const method of ['POST', 'PUT'] as const) {
    app.route({
      method,
      url: '/index/_bulk',
      schema: schemas.bulk(method),
      ...loading,
      handler: (request, reply) => bulk(request, reply, undefined),
    })
    app.route<Named>({
      method,
      url: '/index/:index/_bulk',
      schema: schemas.indexBulk(method),
      ...loading,
      handler: (request, reply) => bulk(request, reply, request.params.index),
    })
  }

  const refresh = async (request: FastifyRequest, reply: FastifyReply, pattern: string) => {
    await engine.refresh(pattern)
    return sendJson(request, reply, { _shards: { total: 1, successful: 1, failed: 0 } }, { tag: 'none' })
  }
  app.post<Named>(
    '/index/:index/_forcemerge',
    {
      schema: schemas.arrange,
      config: { ...config, timeLimit: false },
    },
    async (request, reply) => {
      await existing(engine, request)
      await engine.arrange(request.params.index)
      return sendJson(request, reply, { _shards: { total: 1, successful: 1, failed: 0 } }, { tag: 'none' })
    },
  )

  for (const method of ['POST', 'GET'] as const) {
    app.route({
      method,
      url: '/index/_refresh',
      schema: schemas.refreshAll(method),
      config: reading,
      handler: (request, reply) => refresh(request, reply, '*'),
    })
    app.route<Named>({
      method,
      url: '/index/:index/_refresh',
      schema: schemas.refreshIndex(method),
      config: reading,
      handler: async (request, reply) => {
        await existing(engine, request)
        return refresh(request, reply, request.params.index)
      },
    })
  }

  const put = async (request: FastifyRequest, reply: FastifyReply, index: string, id: string | undefined) => {
    const { status, ...answer } = await writeOne(engine, request, { action: 'index', index, id })
    return sendJson(request, reply.code(status), answer)
  }
  app.post<Named>('/index/:index/_doc', { schema: schemas.addDocument, config }, (request, reply) =>
    put(request, reply, request.params.index, undefined),
  )
  for (const method of ['POST', 'PUT'] as const) {
    app.route<Identified>({
      method,
      url: '/index/:index/_doc/:id',
      schema: schemas.putDocument(method),
      config,
      handler: (request, reply) => put(request, reply, request.params.index, request.params.id),
    })
  }

  app.get<Identified>('/index/:index/_doc/:id', { schema: schemas.document }, async (request, reply) => {
    const { index, id } = request.params
    await existing(engine, request)
    const found = await engine.document(index, id, requestSignal(request))
    if (found === undefined) throw problem('DOCUMENT_NOT_FOUND', { name: id, owner: `index ${index}` })
    const answer = { _index: index, _id: id, _version: 1, found: true, _source: found.source }
    return sendJson(request, reply, answer, { tag: 'none' })
  })

  app.delete<Identified>('/index/:index/_doc/:id', { schema: schemas.deleteDocument }, async (request, reply) => {
    const { index, id } = request.params
    await existing(engine, request)
    const isSeen = wantsRefresh(request)
    const [result] = await engine.write(index, [{ kind: 'delete', id }], writeOptions(request))
    if (result === undefined || !result.ok) throw problem('DOCUMENT_NOT_FOUND', { name: id, owner: `index ${index}` })
    if (isSeen) await engine.refresh(index)
    const { status, ...answer } = itemResult({ action: 'delete', index, id }, result)
    return sendJson(request, reply.code(status), answer)
  })
}

function bytesOf(request: FastifyRequest): Buffer {
  const body = rawBody(request)
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength)
}
