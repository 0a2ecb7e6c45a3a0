import { collections, documents, mapping, toBulk } from '../conformance/dataset.ts'
import { must } from '../support/http-client.ts'
import { createIndex, putCollection } from '../support/index-loading.ts'

/** A path parameter, the operations it counts for, those that would take it away, and its value. */
type Known = readonly [parameter: string, where: string, changes: string, value: string]

interface Made {
  readonly id: string
}

/** The sample data set with a subscription, a tag request and an event: something behind every path. */
export async function loadSample(base: string): Promise<readonly Known[]> {
  await createIndex(base, 'dataset', mapping, toBulk(documents()))
  // Without images from elsewhere.
  const { raster_tile_url: _images, ...params } = collections.geodata
  await putCollection(base, 'geodata', params)
  const subscription = await post(base, '/subscriptions', {
    created_by: 'gisaia',
    active: true,
    starts_at: 0,
    expires_at: 2145913200,
    title: 'Everything',
    subscription: { trigger: { collections: ['geodata'] }, callback: 'http://127.0.0.1:9/', hits: { filter: '' } },
  })
  const tag = await post(base, '/write/geodata/_tag', { tag: { path: 'params.tags', value: 'v0' } })
  const object = { id: 'ID__10__30DI' }
  await post(base, '/events', { id: 'event-0', collection: 'geodata', event: 'UPDATE', object })
  const none = '^$'
  return [
    ['collection', '', '^(PUT|DELETE|PATCH) ', 'geodata'],
    ['collections', '', none, 'geodata'],
    ['identifier', '', none, object.id],
    ['index', '', '^(PUT|DELETE) |/(_bulk|_doc|_mapping)', 'dataset'],
    ['id', 'subscriptions', '^DELETE ', subscription.id],
    ['id', '^GET /index/', none, object.id],
    ['id', '^GET /status/', none, tag.id],
    ['id', '^GET /events/', none, 'event-0'],
  ]
}

async function post(base: string, path: string, body: unknown): Promise<Made> {
  return (await must(base, { method: 'POST', path, body })) as Made
}
