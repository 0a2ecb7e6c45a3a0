import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errorKinds } from '../../src/errors.ts'
import { type GuardedServer, startGuardedServer } from './access/guarded-server.ts'
import { startServer } from './server-fixture.ts'

interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly security?: readonly Readonly<Record<string, unknown>>[]
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content?: object }>>
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly security?: readonly object[]
  readonly tags: readonly { readonly name: string }[]
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

const documentOf = async (server: GuardedServer): Promise<Document> =>
  (await server.ask('/openapi.json')).json() as Document

const operationsOf = ({ paths }: Document): readonly (Operation & { readonly name: string })[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, name: `${method.toUpperCase()} ${path}` })),
  )

describe('the OpenAPI document', () => {
  let server: GuardedServer
  let document: Document
  beforeAll(async () => {
    server = await startGuardedServer({ 'log.level': 'error' })
    document = await documentOf(server)
  })
  afterAll(() => server.stop())

  test('names every operation once, in words that can be names of functions', () => {
    const ids = operationsOf(document).map(({ operationId }) => operationId)
    expect(ids.length).toBeGreaterThan(100)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z]+$/)
  })

  test('keeps the names that clients were generated with', () => {
    const names = new Map(operationsOf(document).map(({ name, operationId }) => [name, operationId]))
    expect(names.get('GET /explore/{collection}/_search')).toBe('searchDocuments')
    expect(names.get('POST /explore/{collection}/_search')).toBe('searchDocumentsPost')
    expect(names.get('PUT /collections/{collection}')).toBe('putCollection')
    expect(names.get('POST /index/{index}/_bulk')).toBe('bulkIndex')
    expect(names.get('POST /subscriptions')).toBe('createSubscription')
    expect(names.get('POST /admin/subscriptions')).toBe('adminCreateSubscription')
  })

  test('has every operation in a group that is described, with a summary', () => {
    const groups = document.tags.map(({ name }) => name)
    for (const { tags, summary } of operationsOf(document)) {
      expect(groups).toEqual(expect.arrayContaining([...tags]))
      expect(summary).not.toBe('')
    }
  })

  test('tells the codes of errors one operation may give, by status', () => {
    const search = document.paths['/explore/{collection}/_search']?.get
    const name = search?.responses['404']?.$ref?.replace('#/components/responses/', '') ?? ''
    expect(document.components.responses?.[name]).toMatchObject({
      content: {
        'application/json': {
          schema: {
            allOf: [
              { $ref: '#/components/schemas/Error' },
              {
                properties: {
                  status: { const: 404 },
                  error: {
                    enum: ['ROUTE_NOT_FOUND', 'COLLECTION_NOT_FOUND', 'INDEX_NOT_FOUND', 'FIELD_NOT_FOUND'],
                  },
                },
              },
            ],
          },
        },
      },
    })
  })

  test('has a place for every error but those of no operation', () => {
    const named = Object.keys(document.components.responses ?? {}).flatMap((name) => name.split('.').slice(1))
    const nowhere = Object.keys(errorKinds).filter((code) => !named.includes(code))
    // Another method is another operation; nobody has to show who they are here.
    expect(nowhere.toSorted()).toEqual(['METHOD_NOT_ALLOWED', 'UNAUTHORIZED'])
  })

  test('describes what searches, figures for Prometheus and pages answer with', () => {
    const types = (path: string): readonly string[] =>
      Object.keys(Object(document.paths[path]?.get?.responses['200']?.content))
    expect(types('/metrics')).toEqual(['text/plain'])
    expect(types('/docs')).toEqual(['text/html'])
    expect(types('/explore/{collection}/_search')).toEqual([
      'application/json',
      'application/atom+xml',
      'application/x-ndjson',
      'text/csv',
      'application/vnd.apache.parquet',
      'application/flatgeobuf',
      'application/zip',
    ])
  })
})

describe('with authentication', () => {
  test('says how callers show who they are, and where they need not', async () => {
    const server = await startGuardedServer({ 'auth.modes': 'apikey,jwt', 'auth.queryToken': 'true', ...TOKENS })
    try {
      const document = await documentOf(server)
      expect(Object.keys(document.components.securitySchemes ?? {})).toEqual([
        'apiKey',
        'apiKeyId',
        'apiKeySecret',
        'bearer',
        'queryToken',
      ])
      const ways = [{ apiKey: [] }, { apiKeyId: [], apiKeySecret: [] }, { bearer: [] }]
      expect(document.security).toEqual([...ways, { queryToken: [] }])
      expect(document.paths['/livez']?.get?.security).toEqual([])
      expect(document.paths['/openapi.json']?.get?.security?.[0]).toEqual({})
      expect(document.paths['/collections']?.get?.security).toBeUndefined()
      expect(document.paths['/events']?.post?.security).toEqual(ways)
      expect(Object.keys(document.paths['/collections']?.get?.responses ?? {})).toEqual(
        expect.arrayContaining(['401', '403']),
      )
      expect(document.components.parameters).toBeUndefined()
    } finally {
      await server.stop()
    }
  })
})

const TOKENS = { 'auth.jwt.issuer': 'http://127.0.0.1:9', 'auth.jwt.audience': 'periplus' }

/** The framework refuses to start with a route that is described by half. */
test('a route without a name is a fault of the start', async () => {
  const nameless = (app: FastifyInstance): void => {
    app.get('/nameless', { schema: { tags: ['Server'], summary: 'Nameless' } }, async () => '')
  }
  await expect(startServer({ routes: nameless })).rejects.toThrow('GET /nameless must have an operationId')
})
