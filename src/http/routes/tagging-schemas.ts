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
  description: 'ADD puts the value into the field, REMOVE takes it out, REMOVEALL leaves no value.',
})

const Failure = Type.Object(
  {
    id: Type.String({ description: 'The document, the propagated value, or the request.' }),
    message: Type.String(),
    type: Type.String({ description: 'A stable code, such as LIMIT_EXCEEDED or PATH_MISMATCH.' }),
  },
  { $id: 'Failure' },
)

const UpdateResponse = Type.Object(
  {
    id: Type.String({ description: 'A UUID; the status is asked for with it.' }),
    label: Type.Optional(Type.String()),
    action,
    failures: Type.Optional(Type.Array(Failure, { description: 'The first 1,000 of them.' })),
    failed: int64('Failures so far.'),
    updated: int64('Documents brought to the requested state, those already in it included.'),
    progress: Type.Number({ description: 'Percent; 100 when, and only when, the request is finished.' }),
    nbRequest: int64('Units done: one per propagated value, or one.'),
    propagated: int64('Units in all; -1 until they are known.'),
    startTime: int64('Acceptance of the request, or of its replay, in ms since 1970.'),
    endTime: int64('The last step, in ms since 1970.'),
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
    offset: int64('Place in the log; a replay begins at one.'),
    creationTime: int64('Acceptance, in ms since 1970.'),
    propagated: int64('-1: the list shows requests, their status shows what came of them.'),
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
          '`[[header],[body]]`. With authentication it is shown to the author and to administrators.',
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
    'Accepts the request and answers at once; its status tells how far it is. The path must be one of the ' +
    'taggable_fields of the collection. Without a search every document is tagged. With a propagation, the values of ' +
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
  summary: 'Remove a value, or all of them, from a field of many documents',
  description: 'The same as `_tag`. Without a value the field is emptied.',
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
    'Every request of the collection at this offset or beyond it is executed once more, in the order of the log. ' +
    'The answer is the offset.',
  params,
  querystring: Type.Object({
    offset: Type.Integer({ ...place, description: 'Where to begin; `_taglist` shows the offsets.' }),
    ...prettyParameter,
  }),
  response: { 200: Type.Integer({ format: 'int64', examples: [0] }) },
}

export const status = {
  tags,
  operationId: 'getTagStatus',
  summary: 'Ask how far a request is',
  params: Type.Object({ ...collectionName, id: Type.String({ description: 'Id of the request.' }) }),
  querystring: prettyOnly,
  response: { 200: UpdateResponse },
}

export const list = {
  tags,
  operationId: 'listTagRequests',
  summary: 'List the requests of a collection',
  description: 'All of them, oldest first, as they were accepted.',
  params,
  querystring: Type.Object({
    from: Type.Optional(Type.Integer({ ...place, description: 'The first offset to list.' })),
    size: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, description: 'The most to list.' })),
    ...prettyParameter,
  }),
  response: { 200: Type.Array(TagRefRequest) },
}
