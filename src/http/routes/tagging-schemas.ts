import { Type } from 'typebox'
import { Filter } from '../../model/filter.ts'
import { Form, Search } from '../../model/search.ts'
import { Propagation, Tag, TagRequest } from '../../model/tag-request.ts'
import { collectionName, prettyParameter } from './explore-parameters.ts'

/** OpenAPI descriptions of the tagging routes. The code in `tagging/` validates requests. */

const tags = ['Tagging']

const params = Type.Object(collectionName)
const prettyOnly = Type.Object(prettyParameter)

const int64 = (description: string) => Type.Integer({ format: 'int64', description })

/** A position in the log. */
const place = { format: 'int64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }

const action = Type.Unsafe<string>({
  type: 'string',
  enum: ['ADD', 'REMOVE', 'REMOVEALL'],
  description: 'ADD adds the value to the field, REMOVE removes it, REMOVEALL removes all values.',
})

const Failure = Type.Object(
  {
    id: Type.String({ description: 'Id of the document, the propagated value, or id of the request.' }),
    message: Type.String(),
    type: Type.String({ description: 'A stable code, such as LIMIT_EXCEEDED or PATH_MISMATCH.' }),
  },
  { $id: 'Failure' },
)

const UpdateResponse = Type.Object(
  {
    id: Type.String({ description: 'UUID of the request, used to get its status.' }),
    label: Type.Optional(Type.String()),
    action,
    failures: Type.Optional(Type.Array(Failure, { description: 'The first 1,000 failures.' })),
    failed: int64('Number of failures so far.'),
    updated: int64('Number of documents that have the requested state, including those that already had it.'),
    progress: Type.Number({ description: 'Percent. 100 if and only if the request is finished.' }),
    nbRequest: int64(
      'Number of finished units. Without propagation there is one unit, otherwise one per propagated value.',
    ),
    propagated: int64('Total number of units. -1 until it is known.'),
    startTime: int64('Time at which the request or its replay was accepted, in milliseconds since 1970.'),
    endTime: int64('Time of the last step, in milliseconds since 1970.'),
    processingTimeMs: int64('endTime - startTime.'),
  },
  {
    $id: 'UpdateResponse',
    examples: [
      {
        id: '3e0f6c1a-5d0e-4f43-9a86-0f3a5b0f6f11',
        label: 'pinktag',
        action: 'ADD',
        failed: 0,
        updated: 59,
        progress: 100,
        nbRequest: 1,
        propagated: 1,
        startTime: 1794736800000,
        endTime: 1794736800041,
        processingTimeMs: 41,
      },
    ],
  },
)

const TagRefRequest = Type.Object(
  {
    id: Type.String(),
    action,
    collection: Type.String(),
    offset: int64('Offset in the log. Replays start at an offset.'),
    creationTime: int64('Time at which the request was accepted, in milliseconds since 1970.'),
    propagated: int64('Always -1. The result is part of the status of the request.'),
    label: Type.Optional(Type.String()),
    tag: Type.Optional(Tag),
    search: Type.Optional(Search),
    filter: Type.Optional(Filter),
    form: Type.Optional(Form),
    propagation: Type.Optional(Propagation),
    partitionFilter: Type.Optional(
      Type.String({
        description:
          'The partition-filter header, or the entries of the body separated by commas, or both as ' +
          '`[[header],[body]]`. With authentication, only the author and administrators see it.',
      }),
    ),
  },
  { $id: 'TagRefRequest' },
)

const body = {
  ...TagRequest,
  examples: [
    {
      tag: { path: 'params.tags', value: 'v1' },
      label: 'pinktag',
      search: { filter: { f: [[{ field: 'params.job', op: 'eq', value: 'Actor' }]] } },
    },
  ],
}

export const tag = {
  tags,
  operationId: 'tagDocuments',
  summary: 'Add a value to a field of many documents',
  description:
    'Accepts the request and executes it in the background; its status shows the progress. The path must be one of the ' +
    'taggable_fields of the collection. Without a search, all documents are tagged. With a propagation, the values of ' +
    'its field are collected from the selected documents, and every document that has one of them is tagged.',
  params,
  querystring: prettyOnly,
  body,
  bodyRequired: false,
  response: { 200: UpdateResponse },
}

export const untag = {
  tags,
  operationId: 'untagDocuments',
  summary: 'Remove one or all values from a field of many documents',
  description: 'Same as `_tag`. Without a value, all values of the field are removed.',
  params,
  querystring: prettyOnly,
  body,
  bodyRequired: false,
  response: { 200: UpdateResponse },
}

export const replay = {
  tags,
  operationId: 'replayTags',
  summary: 'Execute logged requests again',
  description:
    'Executes all requests of the collection at or after the offset again, in the order of the log. ' +
    'The response is the offset.',
  params,
  querystring: Type.Object({
    offset: Type.Integer({ ...place, description: 'First offset to execute. `_taglist` shows the offsets.' }),
    ...prettyParameter,
  }),
  response: { 200: Type.Integer({ format: 'int64', examples: [0] }) },
}

export const status = {
  tags,
  operationId: 'getTagStatus',
  summary: 'Get the status of a request',
  params: Type.Object({ ...collectionName, id: Type.String({ description: 'Id of the request.' }) }),
  querystring: prettyOnly,
  response: { 200: UpdateResponse },
}

export const list = {
  tags,
  operationId: 'listTagRequests',
  summary: 'List the requests of a collection',
  description: 'All requests as they were accepted, oldest first.',
  params,
  querystring: Type.Object({
    from: Type.Optional(Type.Integer({ ...place, description: 'First offset to list.' })),
    size: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10_000, description: 'Maximum number of requests to list.' }),
    ),
    ...prettyParameter,
  }),
  response: { 200: Type.Array(TagRefRequest) },
}
