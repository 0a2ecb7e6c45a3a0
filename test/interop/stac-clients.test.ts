import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startEmbeddedServer } from '../support/embedded-server.ts'
import type { RunningServer } from '../support/running-server.ts'
import { clients, readStacSchemas, runPython } from './clients.ts'
import { COUNT, loadStac, scenes, things } from './stac-documents.ts'

/** All with a time: the validator sorts them itself. */
const stored = scenes.slice(0, -1)

const CLIENT = `
import json, sys
from pystac_client import Client
base = json.load(sys.stdin)
catalog = Client.open(base + '/stac')
def ids(**options):
    return [item.id for item in catalog.search(**options).items()]
box = {'type': 'Polygon', 'coordinates': [[[-61, -11], [-50, -11], [-50, 0], [-61, 0], [-61, -11]]]}
both = catalog.search(collections=['scenes', 'things'], limit=9)
one = catalog.get_collection('things')
print(json.dumps({
    'collections': sorted(c.id for c in catalog.get_collections()),
    'found': sorted(c.id for c in catalog.collection_search(bbox=[-79, -20, -70, -15]).collections()),
    'matched': both.matched(),
    'all': [item.id for item in both.items()],
    'by GET': ids(method='GET', collections=['scenes'], limit=5, filter="eo:cloud_cover < 20", sortby='id'),
    'by POST': ids(method='POST', limit=5, filter={'op': '<', 'args': [{'property': 'eo:cloud_cover'}, 20]}, sortby='+id'),
    'query': ids(query={'platform': {'eq': 'sentinel-2b'}}, max_items=3, sortby=[{'field': 'id', 'direction': 'asc'}]),
    'intersects': sorted(ids(intersects=box, collections=['scenes'])),
    'datetime': sorted(ids(datetime='2024-01-01T00:00:00Z/2024-01-01T01:00:00Z')),
    'day': len(ids(datetime='2024-01', collections=['things'])),
    'ids': ids(ids=['t03', 's04'], method='GET'),
    'fields': sorted(next(catalog.search(ids=['s03'], fields=['id', 'geometry']).items_as_dicts())),
    'item': one.get_item('t10').properties['part.n'],
    'items of one': len(list(one.get_items())),
    'queryables': sorted(catalog.get_merged_queryables(['scenes'])['properties'])[:3],
}))
`

const VALIDATOR = `
import json, os, sys
given = json.load(sys.stdin)
base, folder = given['base'], given['schemas']
def schema(path):
    place = 'geojson' if 'geojson.org' in path else os.path.join('stac-spec', 'v1.0.0')
    with open(os.path.join(folder, place, path.split('#')[0].rsplit('/', 1)[1])) as file:
        return json.load(file)
import stac_validator.utilities
stac_validator.utilities._schema_cache = schema
from stac_api_validator.validations import QueryConfig, validate_api
from stac_validator.stac_validator import StacValidate
warnings, errors = validate_api(
    root_url=base + '/stac', ccs_to_validate=given['classes'], collection='scenes', geometry=given['geometry'],
    auth_bearer_token=None, auth_query_parameter=None, headers={}, transaction_collection=None,
    fields_nested_property='properties.eo:cloud_cover', validate_pagination=True, open_assets_urls=False,
    query_config=QueryConfig('eo:cloud_cover', 8, 8, 50, 50, 50, 50, 'platform', 'sentinel', '2a', '-2', 'instruments', 'msi,other'),
)
import requests
items = requests.get(base + '/stac/search?limit=100').json()['features'][::16]
def validity(item):
    check = StacValidate(links=False, assets=False)
    return [] if check.validate_dict(item) else [str(check.message)]
print(json.dumps({'errors': list(errors), 'collections': sorted({item['collection'] for item in items}), 'valid': len(items), 'invalid': [f for item in items for f in validity(item)]}))
`

describe.skipIf(clients === undefined)('clients of STAC API', () => {
  let server: RunningServer
  beforeAll(async () => {
    server = await startEmbeddedServer()
    await loadStac(server.base, stored)
  })
  afterAll(() => server?.stop())

  test('pystac-client searches, pages and filters', async () => {
    const total = COUNT - 1 + stored.length
    const found = (await runPython(CLIENT, server.base)) as Readonly<Record<string, unknown>>
    expect(new Set(found.all as readonly string[]).size).toBe(total)
    expect({ ...found, all: undefined }).toEqual({
      collections: ['scenes', 'things'],
      found: ['things'],
      matched: total,
      'by GET': ['s00', 's01', 's02', 's03', 's04'],
      'by POST': ['s00', 's01', 's02', 's03', 's04'],
      query: ['s01', 's03', 's05'],
      intersects: ['s00', 's01', 's02'],
      datetime: ['s00', 's01', 't00', 't01', 't02', 't03'],
      day: COUNT - 1,
      ids: ['s04', 't03'],
      fields: ['collection', 'geometry', 'id', 'links', 'type'],
      item: things[10]?.part.n,
      'items of one': COUNT - 1,
      queryables: ['collection', 'datetime', 'end_datetime'],
    })
  })

  test('stac-api-validator finds no error in any class, and items are valid', async () => {
    const extensions = ['#fields', '#sort', '#query', '#filter']
    const found = await runPython(VALIDATOR, {
      base: server.base,
      schemas: await readStacSchemas(),
      classes: [
        ...['core', 'collections', 'features', 'features#filter', 'item-search'],
        ...extensions.map((name) => `item-search${name}`),
      ],
      geometry: JSON.stringify({
        type: 'Polygon',
        coordinates: [
          [
            [-61, -11],
            [40, -11],
            [40, 20],
            [-61, 20],
            [-61, -11],
          ],
        ],
      }),
    })
    expect(found).toEqual({ errors: [], collections: ['scenes', 'things'], valid: 4, invalid: [] })
  })
})
