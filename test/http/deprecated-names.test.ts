import { afterAll, beforeAll, expect, test } from 'vitest'
import { geometryFilterNames, geometryFilters } from '../../src/model/geometry-filters.ts'
import { startEmbeddedServer } from '../support/embedded-server.ts'
import { must } from '../support/http-client.ts'
import type { RunningServer } from '../support/running-server.ts'

interface Described {
  readonly deprecated?: boolean
  readonly description?: string
  readonly $ref?: string
}
interface Parameter extends Described {
  readonly name: string
  readonly schema: Described
}
interface Schema extends Described {
  readonly properties?: Readonly<Record<string, Schema>>
}
interface Operation {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}

let server: RunningServer
let paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
let schemas: Readonly<Record<string, Schema>>
beforeAll(async () => {
  server = await startEmbeddedServer()
  const api = await must(server.base, { path: '/openapi.json' })
  const { paths: routes, components } = api as { paths: typeof paths; components: { schemas: typeof schemas } }
  paths = routes
  schemas = components.schemas
})
afterAll(() => server?.stop())

const resolved = (schema: Schema | undefined): Schema | undefined =>
  schema?.$ref === undefined ? schema : schemas[schema.$ref.split('/').at(-1) ?? '']

test('every GET that takes filters in f lists the geometry filters of the earlier revision as deprecated', () => {
  // In /ogc and /stac, f is the format.
  const explored = Object.entries(paths).filter(([path]) => !/^\/(?:ogc|stac)/.test(path))
  const filtering = explored.flatMap(([, { get }]) =>
    get?.parameters?.some(({ name }) => name === 'f') ? [get.parameters] : [],
  )
  expect(filtering).toHaveLength(16)
  for (const parameters of filtering) {
    for (const name of geometryFilterNames) {
      const found = parameters.find((parameter) => parameter.name === name)
      const { path, op } = geometryFilters[name]
      expect(found).toMatchObject({ deprecated: true, description: expect.stringContaining(`f={${path}}:${op}:`) })
      expect(found?.schema).toMatchObject({ type: 'array' })
      expect(found?.schema).not.toHaveProperty('deprecated')
    }
    const others = parameters.filter(({ name }) => !geometryFilterNames.some((known) => known === name))
    expect(others.filter(({ deprecated }) => deprecated === true)).toEqual([])
  }
})

test('so do the bodies', () => {
  const { properties = {} } = schemas.Filter ?? {}
  for (const name of geometryFilterNames) expect(properties[name]).toMatchObject({ deprecated: true })
  const fetched = resolved(schemas.Aggregation?.properties?.fetch_geometry)
  expect(fetched).toMatchObject({ deprecated: true, description: expect.stringContaining('`raw_geometries`') })
  const put = paths['/collections/{collection}']?.put?.requestBody?.content['application/json']
  expect(resolved(put?.schema)?.properties?.type_name).toMatchObject({ deprecated: true })
  expect(schemas.CollectionReferenceParameters?.properties).not.toHaveProperty('type_name')
})

test('the part of agg is named with what to use instead', () => {
  const agg = paths['/explore/{collection}/_aggregate']?.get?.parameters?.find(({ name }) => name === 'agg')
  expect(agg?.description).toMatch(/Deprecated.*`fetch_geometry-`.*`aggregated_geometries-`.*`raw_geometries-`/)
})
