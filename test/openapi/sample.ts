import { collections, documents, mapping, toBulk } from '../conformance/dataset.ts'
import { must } from '../support/http-client.ts'

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

/**
 * The sample data set with subscriptions, a tag request and an event: something behind every path. `headers` show who
 * calls.
 */
export async function loadSample(
  base: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<readonly Known[]> {
  const send = (method: string, path: string, body?: unknown): Promise<unknown> =>
    must(base, { method, path, headers, body })
  const make = async (path: string, body: unknown): Promise<Made> => (await send('POST', path, body)) as Made
  await send('PUT', '/index/dataset', { mappings: mapping })
  await send('POST', '/index/dataset/_bulk?refresh=true', toBulk(documents()))
  // Without images from elsewhere.
  const { raster_tile_url: _images, ...params } = collections.geodata
  await send('PUT', '/collections/geodata', params)
  const subscription = await make('/admin/subscriptions', everything)
  const spare = await make('/admin/subscriptions', everything)
  const tag = await make('/write/geodata/_tag', { tag: { path: 'params.tags', value: 'v0' } })
  const object = { id: 'ID__10__30DI' }
  await make('/events', { id: 'event-0', collection: 'geodata', event: 'UPDATE', object })
  const { hits } = (await send('GET', '/index/dataset/_search?size=1')) as Stored
  const none = '^$'
  return [
    ['collection', '', '^(PUT|DELETE|PATCH) ', 'geodata'],
    ['collections', '', none, 'geodata'],
    ['identifier', '', none, object.id],
    ['index', '', '^(PUT|DELETE) |/(_bulk|_doc|_mapping)', 'dataset'],
    ['id', '^DELETE .*subscriptions', none, spare.id],
    ['id', '^(GET|PUT|POST) .*subscriptions', none, subscription.id],
    ['id', '^GET /index/', none, hits.hits[0]?._id ?? ''],
    ['id', '^GET /status/', none, tag.id],
    ['id', '^GET /events/', none, 'event-0'],
  ]
}
