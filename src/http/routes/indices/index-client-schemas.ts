import { Type } from 'typebox'
import { Acknowledged, WrittenDocument } from '../../../model/answer/index-answers.ts'
import { License, ManyDocuments } from '../../../model/answer/index-status-answers.ts'
import { documentId, entry, existing, one, writing } from './index-schemas.ts'

const routing = Type.Optional(Type.Unknown({ description: 'Ignored.' }))
/** Numbers are read as texts. */
const anyId = Type.Union([Type.String(), Type.Number()])
const closed = { additionalProperties: false }

const OfAny = Type.Object(
  { docs: Type.Array(Type.Object({ _index: Type.String(), _id: anyId, routing }, closed)) },
  { ...closed, examples: [{ docs: [{ _index: 'harbours', _id: 'a' }] }] },
)

/** Documents may also name the index, if it is that of the path. */
const OfOne = Type.Unsafe<object>({
  oneOf: [
    Type.Object({ ids: Type.Array(anyId) }, closed),
    Type.Object({ docs: Type.Array(Type.Object({ _id: anyId, routing }, closed)) }, closed),
  ],
  examples: [{ ids: ['a', 'b'] }],
})

const manyText = 'Get documents by their ids'
export const getMany = entry('getManyDocuments', manyText, ManyDocuments, { body: OfAny, bodyRequired: true })
export const getManyOf = entry('getManyDocumentsOfIndex', `${manyText}, from one index`, ManyDocuments, {
  params: existing,
  body: OfOne,
  bodyRequired: true,
})

const Changes = Type.Unsafe<object>({
  type: 'object',
  required: ['doc'],
  additionalProperties: false,
  properties: {
    doc: { type: 'object', additionalProperties: true, description: 'Members to change. Objects are merged.' },
    doc_as_upsert: { type: 'boolean', description: 'true: write `doc` if the document does not exist.' },
    detect_noop: { description: 'Ignored.' },
    _source: { description: 'Ignored.' },
  },
  examples: [{ doc: { time: '2024-05-02T00:00:00Z' }, doc_as_upsert: true }],
})
export const update = {
  ...entry('updateDocument', 'Change members of a document', WrittenDocument, {
    params: { ...one, ...documentId },
    query: writing,
    body: Changes,
    bodyRequired: true,
  }),
  response: { 200: WrittenDocument, 201: WrittenDocument },
}

export const putSettings = entry('putIndexSettings', 'Accept settings that have no effect', Acknowledged, {
  params: existing,
  body: Type.Unsafe<object>({
    type: 'object',
    description: 'Settings of speed and storage are ignored, others are refused.',
    examples: [{ index: { refresh_interval: '30s', number_of_replicas: 0 } }],
  }),
})

export const license = entry('getLicense', 'Get a licence, as checked by Elasticsearch clients', License)
