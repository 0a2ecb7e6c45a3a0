import { type TSchema, Type } from 'typebox'
import * as answers from '../../../model/answer/index-answers.ts'
import { prettyParameter } from '../explore-parameters.ts'

/** OpenAPI descriptions of the index routes. The handlers validate requests. */

const tags = ['Index']

/** JSON media types of Elasticsearch clients. */
export const jsonTypes = ['application/vnd.elasticsearch+json']
/** Media types of newline-delimited JSON. */
export const lineTypes = ['application/x-ndjson', 'application/vnd.elasticsearch+x-ndjson']

const consumes = ['application/json', ...jsonTypes]

export const existing = {
  index: Type.String({ description: 'Name of an index, or a pattern with `*`. `_all` is the same as `*`.' }),
}
export const one = {
  index: Type.String({
    minLength: 1,
    maxLength: 255,
    pattern: '^(?!\\.\\.?$)[^-_+\\\\/*?"<>|\\s,#:A-Z\\x00-\\x1f\\x7f][^\\\\/*?"<>|\\s,#:A-Z\\x00-\\x1f\\x7f]*$',
    description: 'Name of the index: lower case, at most 255 bytes.',
  }),
}
const standIn = { index: Type.String({ description: 'Index of actions without `_index`.' }) }
export const documentId = { id: Type.String({ description: 'Id of the document; at most 512 bytes.' }) }

const refresh = Type.Optional(
  Type.Enum(['true', 'false', 'wait_for'], {
    description: 'Make the changes visible to searches before responding. Without a value: true.',
  }),
)
const events = Type.Optional(
  Type.Boolean({ default: true, description: 'false: do not notify subscriptions of the changes.' }),
)
export const writing = { refresh, events, ...prettyParameter }
const exampleMapping = { properties: { id: { type: 'keyword' }, time: { type: 'date' }, place: { type: 'geo_point' } } }

/** Mappings are parsed leniently: unknown parts are listed in the answer. */
const NewIndex = Type.Unsafe<object>({
  $id: 'NewIndex',
  type: 'object',
  properties: {
    mappings: { type: ['object', 'null'], description: 'Fields with their types, and `dynamic`.' },
    settings: { description: 'Ignored.' },
  },
  examples: [{ mappings: exampleMapping }],
})

const Fields = Type.Unsafe<object>({
  type: 'object',
  properties: { properties: { type: ['object', 'null'], description: 'Fields with their types.' } },
  examples: [{ properties: { kind: { type: 'keyword' } } }],
})

const Document = Type.Unsafe<object>({
  type: 'object',
  additionalProperties: true,
  examples: [{ id: 'a', time: '2024-05-01T00:00:00Z', place: '48.1,11.5' }],
})

const Lines = Type.String({
  minLength: 1,
  description:
    'Action lines (`index`, `create`, `update` or `delete`), each followed by a document line, except for `delete`.',
  examples: ['{"index":{"_index":"harbours","_id":"a"}}\n{"id":"a","place":"48.1,11.5"}\n'],
})

interface Parts {
  readonly params?: Readonly<Record<string, TSchema>>
  readonly query?: Readonly<Record<string, TSchema>>
  readonly body?: TSchema
  readonly bodyRequired?: boolean
  readonly consumes?: readonly string[]
  readonly status?: number
}

/** Description of one route. */
export const entry = (operationId: string, summary: string, answer: TSchema, parts: Parts = {}) => ({
  tags,
  operationId,
  summary,
  ...(parts.params === undefined ? {} : { params: Type.Object({ ...parts.params }) }),
  querystring: Type.Object({ ...(parts.query ?? prettyParameter) }),
  ...(parts.body === undefined ? {} : { body: parts.body, bodyRequired: parts.bodyRequired ?? false }),
  consumes: parts.consumes ?? consumes,
  response: { [parts.status ?? 200]: answer },
})

export type Method = 'GET' | 'POST' | 'PUT'

/** Returns a distinct operation name for the second method of a route. */
export const named = (name: string, method: Method, plain: Method): string =>
  method === plain ? name : `${name}${method.charAt(0)}${method.slice(1).toLowerCase()}`

export const banner = entry('getIndexBanner', 'Get the name and version of the server', answers.ServerBanner)

export const allMappings = entry('getAllMappings', 'Get the mappings of all indices', answers.Mappings)
export const index = entry('getIndex', 'Get the mapping and settings of an index', answers.Indices, {
  params: existing,
})
export const create = entry('createIndex', 'Create an index with a mapping', answers.IndexCreated, {
  params: one,
  body: NewIndex,
})
export const drop = entry('dropIndex', 'Delete an index and its documents', answers.Acknowledged, { params: existing })
export const replace = entry(
  'replaceIndex',
  'Delete an index and give its name to another one, with its documents',
  answers.Acknowledged,
  {
    params: one,
    query: { by: Type.String({ minLength: 1, description: 'Index that gets the name.' }), ...prettyParameter },
  },
)
export const mapping = entry('getMapping', 'Get the mapping of an index', answers.Mappings, { params: existing })
export const extendMapping = (method: Method) =>
  entry(named('extendMapping', method, 'PUT'), 'Add fields to the mapping of an index', answers.Acknowledged, {
    params: existing,
    body: Fields,
  })
export const settings = entry('getIndexSettings', 'Get the settings of an index', answers.IndexSettings, {
  params: existing,
})

const bulkText = 'Write many documents, as newline-delimited actions and documents'
const bulkParts = { query: writing, body: Lines, bodyRequired: true, consumes: lineTypes }
export const bulk = (method: Method) => entry(named('bulk', method, 'POST'), bulkText, answers.BulkAnswer, bulkParts)
export const indexBulk = (method: Method) =>
  entry(named('bulkIndex', method, 'POST'), bulkText, answers.BulkAnswer, { ...bulkParts, params: standIn })

export const arrange = entry('arrangeIndex', 'Compact the storage of an index', answers.Refreshed, {
  params: existing,
})
const refreshText = 'Make written documents visible to searches'
export const refreshAll = (method: Method) => entry(named('refreshAll', method, 'POST'), refreshText, answers.Refreshed)
export const refreshIndex = (method: Method) =>
  entry(named('refreshIndex', method, 'POST'), refreshText, answers.Refreshed, { params: existing })

/** 201 for a new document, 200 for an existing one. */
const both = <T extends ReturnType<typeof entry>>(schema: T) => ({
  ...schema,
  response: { 200: answers.WrittenDocument, 201: answers.WrittenDocument },
})
const documentParts = { query: writing, body: Document }
export const addDocument = entry('addDocument', 'Write a document', answers.WrittenDocument, {
  ...documentParts,
  params: one,
  status: 201,
})
export const putDocument = (method: Method) =>
  both(
    entry(named('putDocument', method, 'PUT'), 'Write a document with an id', answers.WrittenDocument, {
      ...documentParts,
      params: { ...one, ...documentId },
    }),
  )
export const document = entry('getStoredDocument', 'Get a document by its id', answers.StoredDocument, {
  params: { ...existing, ...documentId },
})
export const deleteDocument = entry('deleteDocument', 'Delete a document', answers.WrittenDocument, {
  params: { ...existing, ...documentId },
  query: writing,
})
