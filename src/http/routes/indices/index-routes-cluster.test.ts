import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clusterUrl } from '../../../../test/support/cluster-url.ts'
import { closeLocalServices, openLocalServices } from '../../../cli/serve/local-services.ts'
import { loadSettings } from '../../../config/load-settings.ts'
import { buildServer } from '../../server/server.ts'
import type { Services } from '../../services.ts'

const base = `t-index-routes-${randomBytes(4).toString('hex')}`
const directory = mkdtempSync(path.join(tmpdir(), 'periplus-index-'))
let services: Services
let app: FastifyInstance

beforeAll(async () => {
  const flags = {
    'engine.kind': 'cluster',
    'cluster.urls': clusterUrl,
    'cluster.referenceIndex': `${base}-references`,
    'cluster.replicas': '0',
    'data.directory': directory,
    'log.level': 'silent',
  }
  services = await openLocalServices(loadSettings({ flags, cwd: directory }))
  app = await buildServer(services)
})
afterAll(async () => {
  for (const { name } of await services.engine.indices(`${base}*`)) await services.engine.dropIndex(name)
  await app.close()
  await closeLocalServices(services)
  rmSync(directory, { recursive: true, force: true })
})

async function ask(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: string | object) {
  const response = await app.inject({ method, url: `/index/${base}${url}`, ...(payload ? { payload } : {}) })
  return { status: response.statusCode, body: response.json() }
}
const lines = (...values: readonly object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('')

describe('indices of a cluster', () => {
  it('are made, loaded and looked at like any other', async () => {
    expect((await ask('PUT', '-a', { mappings: { properties: { n: { type: 'long' } } } })).status).toBe(200)
    expect(await ask('PUT', '-a')).toMatchObject({ status: 400, body: { error: 'INVALID_INDEX' } })
    const written = await ask(
      'POST',
      '-a/_bulk?refresh=true',
      lines(
        { index: { _id: '1' } },
        { n: 1, when: '2024-05-01' },
        { index: {} },
        { n: 'x' },
        { delete: { _id: 'no' } },
      ),
    )
    expect(written.body.items).toMatchObject([
      { index: { _id: '1', status: 201, result: 'created', _version: 1 } },
      { index: { status: 400, error: { type: 'document_parsing_exception' } } },
      { delete: { _id: 'no', status: 404, result: 'not_found' } },
    ])
    expect((await ask('GET', '-a/_count')).body.count).toBe(1)
    expect((await ask('GET', '-a/_mapping')).body[`${base}-a`].mappings.properties).toEqual({
      n: { type: 'long' },
      when: { type: 'date' },
    })
    expect((await ask('DELETE', '-a/_doc/1?refresh')).status).toBe(200)
    expect((await ask('GET', '-a/_count')).body.count).toBe(0)
    expect((await ask('PUT', '-a/_doc/2?refresh=wait_for', { n: 2 })).status).toBe(201)
    expect((await ask('GET', '-a/_count')).body.count).toBe(1)
    expect(await ask('PUT', '-a/_doc/3?refresh=maybe', { n: 2 })).toMatchObject({
      status: 400,
      body: { error: 'INVALID_PARAMETER' },
    })
    const listed = await app.inject({ url: `/index/_cat/indices/${base}-a?h=i,dc,ss&bytes=b` })
    expect(listed.body).toMatch(new RegExp(`^${base}-a 1 [1-9][0-9]+\n$`))
    expect((await ask('DELETE', '-a')).status).toBe(200)
    expect((await ask('GET', '-a')).status).toBe(404)
  })

  it('are made by the first documents', async () => {
    const body = lines({ index: { _id: '1' } }, { where: [2.5, 48.5], location: '48.5,2.5', label: 'x' })
    expect((await ask('POST', '-b/_bulk', body)).body.errors).toBe(false)
    expect((await ask('GET', '-b/_mapping')).body[`${base}-b`].mappings.properties).toMatchObject({
      label: { type: 'keyword' },
      location: { type: 'geo_point' },
    })
  })
})
