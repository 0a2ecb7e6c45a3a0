import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { problem } from '../../../errors.ts'
import { isRecord } from '../../../model/json/json-object.ts'
import { sendJson } from '../../answer/send-json.ts'
import { requestSignal } from '../../request/caller.ts'
import type { Services } from '../../services.ts'
import * as schemas from './index-client-schemas.ts'
import { bodyObject, existing, type Named } from './index-request.ts'
import { jsonTypes } from './index-schemas.ts'
import { writeOne } from './write-one.ts'

interface Identified {
  Params: { index: string; id: string }
}

/** Further requests of Elasticsearch clients. */
export function indexClientRoutes(app: FastifyInstance, { engine, settings }: Services): void {
  const config = { accepts: jsonTypes }
  const reading = { ...config, readOnly: true }

  const getMany = async (request: FastifyRequest, reply: FastifyReply, index: string | undefined) => {
    const wanted = readWanted(bodyObject(request), index, settings.limits.size)
    const signal = requestSignal(request)
    const known = new Set<string>()
    for (const name of new Set(wanted.map((one) => one.index))) {
      if ((await engine.indices(name, signal)).some((info) => info.name === name)) known.add(name)
    }
    const docs: object[] = []
    for (const { index: _index, id: _id } of wanted) {
      if (known.has(_index)) {
        const found = await engine.document(_index, _id, signal)
        docs.push({ _index, _id, ...(found ? { _version: 1, found: true, _source: found.source } : { found: false }) })
      } else {
        const reason = `Index ${_index} does not exist`
        docs.push({ _index, _id, error: { type: 'index_not_found_exception', reason, index: _index } })
      }
    }
    return sendJson(request, reply, { docs }, { tag: 'none' })
  }
  app.post('/index/_mget', { schema: schemas.getMany, config: reading }, (request, reply) =>
    getMany(request, reply, undefined),
  )
  app.post<Named>('/index/:index/_mget', { schema: schemas.getManyOf, config: reading }, (request, reply) =>
    getMany(request, reply, request.params.index),
  )

  app.post<Identified>('/index/:index/_update/:id', { schema: schemas.update, config }, async (request, reply) => {
    const { index, id } = request.params
    const { status, ...answer } = await writeOne(engine, request, { action: 'update', index, id })
    return sendJson(request, reply.code(status), answer)
  })

  app.put<Named>('/index/:index/_settings', { schema: schemas.putSettings, config }, async (request, reply) => {
    await existing(engine, request)
    const refused = settingNames(bodyObject(request)).find((name) => !IGNORED.test(name))
    if (refused !== undefined) {
      const reason = 'is not a setting that can be changed here'
      throw problem('INVALID_BODY', { parameter: refused, reason })
    }
    return sendJson(request, reply, { acknowledged: true, notes: ['settings are ignored'] })
  })

  app.get('/index/_license', { schema: schemas.license }, async (request, reply) =>
    sendJson(request, reply, {
      license: { status: 'active', type: 'basic', issued_to: 'periplus', issuer: 'periplus' },
    }),
  )

  for (const { path, reason } of REFUSED) {
    const method = path.startsWith('_block') ? 'PUT' : 'POST'
    app.route<Named>({
      method,
      url: `/index/:index/${path}`,
      schema: { hide: true },
      config,
      handler: async (request) => {
        await existing(engine, request)
        throw problem('INVALID_PARAMETER', { parameter: path, reason: `is not supported: ${reason}` })
      },
    })
  }
}

const REFUSED = [
  { path: '_delete_by_query', reason: 'delete documents by id with _bulk, or the whole index' },
  { path: '_update_by_query', reason: 'update documents by id with _bulk, or tag them with /write/{collection}/_tag' },
  { path: '_block/write', reason: 'indices cannot be made read-only' },
] as const

interface Wanted {
  readonly index: string
  readonly id: string
}

/** Reads `{"docs":[{"_index","_id"}]}` or `{"ids":[...]}`. The path decides on the index, so that rules for paths hold. */
function readWanted(
  body: Readonly<Record<string, unknown>>,
  index: string | undefined,
  most: number,
): readonly Wanted[] {
  const { docs, ids } = body
  const other = Object.keys(body).find((key) => key !== 'docs' && key !== 'ids')
  if (other !== undefined) throw problem('INVALID_BODY', { parameter: other, reason: 'is not supported' })
  const name = ids === undefined ? 'docs' : 'ids'
  const list = ids ?? docs
  if (!Array.isArray(list) || (docs !== undefined && ids !== undefined)) {
    throw problem('INVALID_BODY', { parameter: 'body', reason: 'must have an array under docs or ids' })
  }
  if (list.length > most) {
    const reason = `must have at most ${most} entries; request less or raise the limit`
    throw problem('LIMIT_EXCEEDED', { parameter: name, value: list.length, reason, setting: 'limits.size' })
  }
  return list.map((entry: unknown, at) => {
    const place = `${name}[${at}]`
    const {
      _index = index,
      _id,
      ...more
    }: Readonly<Record<string, unknown>> = ids === undefined && isRecord(entry)
      ? entry
      : { _id: ids === undefined ? undefined : entry }
    const extra = Object.keys(more).find((key) => key !== 'routing')
    if (extra !== undefined)
      throw problem('INVALID_BODY', { parameter: `${place}.${extra}`, reason: 'is not supported' })
    const id = typeof _id === 'number' ? String(_id) : _id
    if (typeof id !== 'string') throw problem('INVALID_BODY', { parameter: `${place}._id`, reason: 'must be a text' })
    if (typeof _index !== 'string' || (index !== undefined && _index !== index)) {
      const reason = index === undefined ? 'must be the name of an index' : 'must be the index of the path'
      throw problem('INVALID_BODY', { parameter: `${place}._index`, reason, value: _index })
    }
    return { index: _index, id }
  })
}

/** Settings of speed and storage, which have no effect here. */
const IGNORED =
  /^(?:refresh_interval|number_of_replicas|auto_expand_replicas|(?:translog|merge|routing|search|indexing)\..+)$/

/** Returns the names of settings in any of their forms, without `settings.` and `index.` in front. */
function settingNames(settings: Readonly<Record<string, unknown>>, prefix = ''): readonly string[] {
  return Object.entries(settings).flatMap(([key, value]) => {
    const name = `${prefix}${key}`
    return isRecord(value) ? settingNames(value, `${name}.`) : [name.replace(/^(?:settings\.)?(?:index\.)?/, '')]
  })
}
