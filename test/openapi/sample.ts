import { collections, documents, mapping, toBulk } from '../conformance/dataset.ts'
import { must } from '../support/http-client.ts'
import { createIndex, putCollection } from '../support/index-loading.ts'

/** A path parameter, the operations it counts for, those that would take it away, and its value. */
type Known = readonly [parameter: string, where: string, changes: string, value: string]

interface Made {
  readonly id: string
}

interface Stored {
  readonly hits: { readonly hits: readonly { readonly _id: string }[] }
}

/** Its callback may not be called. */
const everything = {
  created_by: 'gisaia',
  active: true,
  starts_at: 0,
  expires_at: 2145913200,
  title: 'Everything',
  subscription: { trigger: { collections: ['geodata'] }, callback: 'http://127.0.0.1:9/', hits: { filter: '' } },
}

/** The sample data set with a subscription, a tag request and an event: something behind every path. */
export async function loadSample(base: string): Promise<readonly Known[]> {
  await createIndex(base, 'dataset', mapping, toBulk(documents()))
  // Without images from elsewhere.
  const { raster_tile_url: _images, ...params } = collections.geodata
  await putCollection(base, 'geodata', params)
  const subscription = await post(base, '/subscriptions', everything)
  const spare = await post(base, '/subscriptions', everything)
  const tag = await post(base, '/write/geodata/_tag', { tag: { path: 'params.tags', value: 'v0' } })
  const object = { id: 'ID__10__30DI' }
  await post(base, '/events', { id: 'event-0', collection: 'geodata', event: 'UPDATE', object })
  const { hits } = (await must(base, { path: '/index/dataset/_search?size=1' })) as Stored
  const [hit] = hits.hits
  const none = '^$'
  return [
    ['collection', '', '^(PUT|DELETE|PATCH) ', 'geodata'],
    ['collections', '', none, 'geodata'],
    ['identifier', '', none, object.id],
    ['index', '', '^(PUT|DELETE) |/(_bulk|_doc|_mapping)', 'dataset'],
    ['id', '^DELETE .*subscriptions', none, spare.id],
    ['id', '^(GET|PUT|POST) .*subscriptions', none, subscription.id],
    ['id', '^GET /index/', none, hit?._id ?? ''],
    ['id', '^GET /status/', none, tag.id],
    ['id', '^GET /events/', none, 'event-0'],
  ]
}

async function post(base: string, path: string, body: unknown): Promise<Made> {
  return (await must(base, { method: 'POST', path, body })) as Made
}
