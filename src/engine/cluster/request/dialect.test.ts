import { afterEach, describe, expect, it } from 'vitest'
import { answerJson, smallServer } from '../../../cluster-client/small-server.fixture.ts'
import { openTransportClient } from '../../../cluster-client/transport-client.ts'
import { clusterUnderTest } from '../cluster-under-test.fixture.ts'
import { probeDialect } from './dialect.ts'

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()))
})

/** A cluster that serves these paths, and returns 400 for all others. */
async function pretend(answers: Readonly<Record<string, unknown>>) {
  const server = await smallServer((response, { url }) => {
    const answer = answers[url.split('?')[0] ?? '']
    if (answer === undefined) answerJson(response, 400, { error: { type: 'x', reason: 'y' }, status: 400 })
    else answerJson(response, 200, answer)
  })
  const client = openTransportClient({ urls: [server.url] })
  opened.push(client, server)
  return probeDialect(client)
}

const NODES = '/_nodes/_all/aggregations,plugins'
const points = { types: ['geopoint'] }
const both = { types: ['geopoint', 'geoshape'] }
const elasticNode = {
  modules: [{ name: 'reindex' }, { name: 'spatial' }],
  aggregations: { geohex_grid: both, geotile_grid: both, geohash_grid: both, geo_bounds: both },
}
const coreNode = {
  modules: [{ name: 'reindex' }],
  aggregations: { geotile_grid: points, geohash_grid: points, geo_bounds: points },
}
const licence = (type: string, status = 'active') => ({ license: { type, status } })
const nothing = { geohex: false, shapeGrids: false, shapeBounds: false }

describe('the dialect', () => {
  it('of the node under test', async () => {
    const { client, dialect } = clusterUnderTest()
    opened.push(client)
    const found = await probeDialect(client)
    expect(found).toEqual({ ...dialect, version: found.version, label: `OpenSearch ${found.version}` })
  })

  it('of Elasticsearch with a licence', async () => {
    const answers = { '/': { version: { number: '8.15.2' } }, [NODES]: { nodes: { a: elasticNode } } }
    const all = { geohex: true, shapeGrids: true, shapeBounds: true, shapes: true }
    expect(await pretend({ ...answers, '/_license': licence('platinum') })).toEqual({
      family: 'elasticsearch',
      version: '8.15.2',
      label: 'Elasticsearch 8.15.2',
      ...all,
    })
    const basic = { ...nothing, shapeBounds: true, shapes: true }
    expect(await pretend({ ...answers, '/_license': licence('basic') })).toMatchObject(basic)
    expect(await pretend({ ...answers, '/_license': licence('platinum', 'expired') })).toMatchObject(basic)
    expect(await pretend(answers)).toMatchObject(basic)
  })

  it('of Elasticsearch without its extensions', async () => {
    const answers = { '/': { version: { number: '8.19.0' } }, [NODES]: { nodes: { a: coreNode } } }
    expect(await pretend(answers)).toMatchObject({ ...nothing, shapes: false })
    expect(await pretend({ ...answers, '/': { version: { number: '7.17.0' } } })).toMatchObject({ shapes: true })
  })

  it('of an Elasticsearch without a front page', async () => {
    const server = await smallServer((response, { url }) => {
      if (url === '/') answerJson(response, 405, { error: 'Incorrect HTTP method', status: 405 })
      else answerJson(response, 200, { nodes: { a: { version: '8.19.2', ...coreNode } } })
    })
    const client = openTransportClient({ urls: [server.url] })
    opened.push(client, server)
    expect(await probeDialect(client)).toMatchObject({ label: 'Elasticsearch 8.19.2', shapes: false })
  })

  it('has only what every node has', async () => {
    const nodes = { a: elasticNode, b: coreNode }
    const answers = { '/': { version: { number: '9.1.0' } }, [NODES]: { nodes }, '/_license': licence('trial') }
    expect(await pretend(answers)).toMatchObject({ ...nothing, shapes: false })
  })

  it('assumes nothing when the nodes may not be looked at', async () => {
    expect(await pretend({ '/': { version: { number: '8.19.0' } } })).toMatchObject({ ...nothing, shapes: true })
  })

  it('of an OpenSearch that calls itself 7.10.2 for the sake of old clients', async () => {
    const main = { version: { number: '7.10.2' }, tagline: 'The OpenSearch Project: https://opensearch.org/' }
    expect(await pretend({ '/': main })).toMatchObject({ family: 'opensearch', label: 'OpenSearch 7.10.2' })
  })

  it.each([
    ['6.8.23', undefined, 'Elasticsearch 6.8.23'],
    ['7.9.3', undefined, 'Elasticsearch 7.9.3'],
    ['0.9.0', 'opensearch', 'OpenSearch 0.9.0'],
  ])('of %s %s is refused', async (number, distribution, label) => {
    await expect(pretend({ '/': { version: { number, distribution } } })).rejects.toMatchObject({
      code: 'ENGINE_UNAVAILABLE',
      message: `The cluster is ${label}; Elasticsearch 7.10 or OpenSearch 1 or later is required (setting cluster.urls)`,
    })
  })

  it.each([[{}], [null], [[]], [{ version: 3 }]])('cannot be read from %j', async (main) => {
    await expect(pretend({ '/': main })).rejects.toMatchObject({ kind: 'unreadable' })
  })
})
