import { CollectionsApi, ExploreApi, Expression, type FormDataContentDisposition } from 'arlas-api/api.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { collections as bodies } from '../conformance/dataset.ts'
import { loadSample } from '../conformance/fixtures.ts'
import { describeEach, engines } from '../support/engines.ts'
import type { RunningServer } from '../support/running-server.ts'

const actorFilter = { f: [[{ field: 'params.job', op: Expression.OpEnum.Eq, value: 'Actor' }]] }
const ids = (hits: { readonly hits?: readonly { readonly md?: unknown }[] }): unknown[] =>
  (hits.hits ?? []).map((h) => h.md).map((md) => (md as { readonly id?: string }).id)

describeEach(engines)('npm arlas-api against the $name engine', (engine) => {
  let server: RunningServer
  let explore: ExploreApi
  let references: CollectionsApi

  beforeAll(async () => {
    server = await engine.start()
    await loadSample(server.base)
    const send = (url: string, init?: RequestInit): Promise<Response> => fetch(url, init)
    // The package's own default prefix: what dashboards call.
    explore = new ExploreApi(undefined, `${server.base}/arlas`, send)
    references = new CollectionsApi(undefined, `${server.base}/arlas`, send)
  })
  afterAll(() => server?.stop())

  describe('CollectionsApi', () => {
    test('getAll lists the references in creation order', async () => {
      const all = await references.getAll(false)
      expect(all.map((c) => c.collection_name)).toEqual(['geodata', 'geodata_actor'])
    })

    test('get answers one reference', async () => {
      const one = await references.get('geodata', true)
      expect(one.params).toMatchObject({ index_name: 'dataset', id_path: 'id', raster_tile_width: 256 })
    })

    test('get of an unknown collection rejects with the response', async () => {
      const failure: unknown = await references.get('nowhere').catch((response: unknown) => response)
      expect(failure).toMatchObject({ status: 404 })
    })

    test('put, patch, patchCollectionDisplayName, patchFieldsDisplayNames, patchShapeColumnsDisplayNames, _delete', async () => {
      const created = await references.put({ ...bodies.geodata, custom_params: { a: 'b' } }, 'client_put', false, true)
      expect(created.params.custom_params).toEqual({ a: 'b', timestamp_format: 'epoch_millis' })

      // The typings call the member `_public`; the wire name is `public`.
      const shared = await references.patch({ shared: ['foo.com'], _public: true }, 'client_put')
      expect(shared.params.organisations).toEqual({ owner: 'foo', shared: ['foo.com'], public: true })

      const named = await references.patchCollectionDisplayName('My grid', 'client_put')
      expect(named.params.display_names).toEqual({ collection: 'My grid' })
      const fields = await references.patchFieldsDisplayNames({ id: 'Name' }, 'client_put')
      expect(fields.params.display_names).toEqual({ collection: 'My grid', fields: { id: 'Name' } })
      const columns = await references.patchShapeColumnsDisplayNames({ id: 'NAME' }, 'client_put')
      expect(columns.params.display_names).toEqual({
        collection: 'My grid',
        fields: { id: 'Name' },
        shape_columns: { id: 'NAME' },
      })

      const deleted = await references._delete('client_put')
      expect(deleted).toMatchObject({ status: 200, message: expect.stringContaining('client_put') })
      const gone: unknown = await references._delete('client_put').catch((response: unknown) => response)
      expect(gone).toMatchObject({ status: 404 })
    })

    test('exportCollections, then importCollections as the package sends it', async () => {
      await references.put(bodies.geodata, 'client_import', false, true)
      const exported = await references.exportCollections()
      await references._delete('client_import')
      // The typed parameter is a content disposition, but what is sent is its text in a URL-encoded form.
      const file = JSON.stringify(exported) as unknown as FormDataContentDisposition
      const message = await references.importCollections(file)
      expect(message).toMatch(/^3 /)
      expect(message).toContain('client_import')
      const sorted = (list: readonly { collection_name: string }[]): unknown[] =>
        [...list].sort((a, b) => a.collection_name.localeCompare(b.collection_name))
      expect(sorted(await references.exportCollections())).toEqual(sorted(exported))
      await references._delete('client_import')
    })
  })

  describe('ExploreApi', () => {
    test('list describes both collections', async () => {
      const list = await explore.list(false, 60)
      expect(list.map((c) => c.collection_name)).toEqual(['geodata', 'geodata_actor'])
    })

    test('describe names the fields and their types', async () => {
      const description = await explore.describe('geodata', false, 60)
      expect(description.properties?.id).toEqual({ type: 'KEYWORD', taggable: false, indexed: true })
    })

    test('count with filters, full text and a date format', async () => {
      const all = await explore.count('geodata')
      expect(all).toEqual({ collection: 'geodata', nbhits: 10, totalnb: 595 })
      const f = ['params.startdate:lte:01-01-1970 00:12:55', 'params.job:ne:Nobody;params.job:eq:Actor']
      const few = await explore.count('geodata', f, ['My name is'], 'dd-MM-yyyy HH:mm:ss', false, true, 30)
      expect(few.totalnb).toBe(3)
    })

    test('countPost reads the snake_case spelling of the typings', async () => {
      const { totalnb } = await explore.countPost('geodata', { partition_filter: [actorFilter], filter: {} })
      expect(totalnb).toBe(59)
    })

    test('search with every parameter', async () => {
      const hits = await explore.search(
        'geodata',
        ['params.job:eq:Actor'],
        ['My name is'],
        undefined,
        true,
        false,
        true,
        'params.job',
        'params.country',
        'geo_params.other_geopoint',
        2,
        0,
        '-params.startdate,id',
        undefined,
        undefined,
        10,
      )
      expect(hits).toMatchObject({ collection: 'geodata', nbhits: 2, totalnb: 59 })
      expect(hits.hits?.[0]?.data).toMatchObject({ id: 'ID_120_80DI', params_job: 'Actor' })
      expect(hits.links?.next?.href).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/arlas\/explore\/geodata\/_search\?/)
    })

    test('search pages with after and back with before', async () => {
      const page = (after?: string, before?: string) =>
        explore.search(
          'geodata',
          undefined,
          undefined,
          undefined,
          undefined,
          undefined,
          undefined,
          undefined,
          undefined,
          undefined,
          2,
          undefined,
          'params.startdate,id',
          after,
          before,
        )
      expect(ids(await page('763600,ID__170__80DI'))).toEqual(['ID__170__70DI', 'ID__160__80DI'])
      expect(ids(await page(undefined, '772800,ID__160__80DI'))).toEqual(['ID__170__80DI', 'ID__170__70DI'])
    })

    test('searchPost, and its next link posted as it is', async () => {
      const hits = await explore.searchPost('geodata', {
        filter: actorFilter,
        page: { size: 1, sort: '-params.startdate,id' },
        projection: { includes: 'params.job' },
      })
      expect(ids(hits)).toEqual(['ID_120_80DI'])
      const next = hits.links?.next
      expect(next?.method).toBe('POST')
      const following = await explore.searchPost('geodata', next?.body)
      expect(following.nbhits).toBe(1)
      expect(ids(following)).not.toEqual(ids(hits))
    })

    test('geosearch flat: md is the text dashboards look into', async () => {
      const f = ['id:eq:ID__10_20DI']
      const features = await explore.geosearch('geodata', f, undefined, undefined, undefined, false, true, 'params.job')
      expect(features.features?.[0]?.properties).toEqual({
        id: 'ID__10_20DI',
        params_job: 'Architect',
        params_startdate: 1009800,
        geo_params_centroid: '20,-10',
        md: 'id=ID__10_20DI-timestamp=1009800-centroid=-10 20',
        feature_type: 'hit',
        geometry_path: 'geo_params.geometry',
      })
    })

    test('geosearchPost', async () => {
      const features = await explore.geosearchPost('geodata', { filter: actorFilter, page: { size: 100 } }, false, 5)
      expect(features.features).toHaveLength(59)
    })

    test('tiledgeosearch takes x, y, z in the order of the package', async () => {
      const none = undefined
      const features = await explore.tiledgeosearch(
        'geodata',
        2,
        1,
        2,
        none,
        none,
        none,
        none,
        none,
        none,
        none,
        none,
        none,
        100,
      )
      expect(features.features).toHaveLength(54)
    })

    test('getArlasHit, nested and flat', async () => {
      const hit = await explore.getArlasHit('geodata', 'ID__170__20DI')
      expect(hit.data.params).toEqual({
        job: 'Dancer',
        country: 'Armenia',
        age: 3400,
        startdate: 813400,
        stopdate: 813500,
      })
      const flat = await explore.getArlasHit('geodata', 'ID__170__20DI', false, true)
      expect(Object.keys(flat.data)).toHaveLength(33)
      const absent: unknown = await explore.getArlasHit('geodata', 'nobody').catch((response: unknown) => response)
      expect(absent).toMatchObject({ status: 404 })
    })
  })
})
