import { collections, documents, mapping, toBulk } from '../conformance/dataset.ts'
import { must } from '../support/http-client.ts'

/** A path parameter, the operations it applies to, the operations that would delete it, and its value. */
type Known = readonly [parameter: string, where: string, changes: string, value: string]

interface Made {
  readonly id: string
}

interface Stored {
  readonly hits: { readonly hits: readonly { readonly _id: string }[] }
}

/** A subscription whose callback is not allowed by the egress rules. */
const everything = {
  created_by: 'gisaia',
  active: true,
  starts_at: 0,
  expires_at: 2145913200,
  title: 'Everything',
  subscription: { trigger: { collections: ['geodata'] }, callback: 'http://127.0.0.1:9/', hits: { filter: '' } },
}

/**
 * Loads the sample data set, subscriptions, a tag request and an event, so that every path has data. `headers` identify
 * the caller.
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
  // Without upstream images.
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
