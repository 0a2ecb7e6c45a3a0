import { Type } from 'typebox'
import { Acknowledged, WrittenDocument } from '../../../model/index-answers.ts'
import { License, ManyDocuments } from '../../../model/index-status-answers.ts'
import { documentId, entry, existing, one, writing } from './index-schemas.ts'

const ById = Type.Object(
  {
    docs: Type.Optional(
      Type.Array(
        Type.Object(
          {
            _index: Type.Optional(Type.String({ description: 'Index of the document, if the path has none.' })),
            _id: Type.String(),
            routing: Type.Optional(Type.String({ description: 'Ignored.' })),
          },
          { additionalProperties: false },
        ),
      ),
    ),
    ids: Type.Optional(Type.Array(Type.String(), { description: 'Ids in the index of the path. Instead of `docs`.' })),
  },
  { additionalProperties: false },
)

const manyText = 'Get documents by their ids'
const ofAny = Type.Unsafe<object>({ ...ById, examples: [{ docs: [{ _index: 'harbours', _id: 'a' }] }] })
const ofOne = Type.Unsafe<object>({ ...ById, examples: [{ ids: ['a', 'b'] }] })
export const getMany = entry('getManyDocuments', manyText, ManyDocuments, { body: ofAny, bodyRequired: true })
export const getManyOf = entry('getManyDocumentsOfIndex', `${manyText}, from one index`, ManyDocuments, {
  params: existing,
  body: ofOne,
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
