import { Type } from 'typebox'
import {
  CollectionReference,
  CollectionReferenceParameters,
  DisplayNames,
  OrganisationsUpdate,
} from '../../model/collection.ts'

/** OpenAPI descriptions of the collection routes. The code in `collections/` validates requests. */

const tags = ['Collections']

const pretty = Type.Optional(Type.Boolean({ default: false, description: 'Indents the answer.' }))

const checkfields = Type.Optional(
  Type.Boolean({
    default: true,
    description: 'Checks that the index exists and has the four fields, with fitting types.',
  }),
)

const params = Type.Object({ collection: Type.String({ description: 'Name of the collection.' }) })

const prettyOnly = Type.Object({ pretty })

const exampleParameters = {
  index_name: 'dataset',
  id_path: 'id',
  geometry_path: 'geo_params.geometry',
  centroid_path: 'geo_params.centroid',
  timestamp_path: 'params.startdate',
  exclude_fields: 'params.ci*',
  taggable_fields: 'params.tags,params.job',
}

/** Body of a PUT. Keys of earlier revisions are accepted and dropped. */
const putParameters = Type.Object(
  {
    ...CollectionReferenceParameters.properties,
    type_name: Type.Optional(
      Type.Unknown({ deprecated: true, description: 'Of an earlier revision; accepted and not kept. Leave it out.' }),
    ),
  },
  { $id: 'CollectionReferenceBody', examples: [exampleParameters] },
)

const exampleFile = JSON.stringify([{ collection_name: 'geodata', params: exampleParameters }])

const Success = Type.Object(
  { status: Type.Integer(), message: Type.String() },
  { $id: 'Success', examples: [{ status: 200, message: 'Collection geodata deleted' }] },
)

export const list = {
  tags,
  operationId: 'listCollections',
  summary: 'List the collections',
  description: 'Every collection the caller may see, in the order of creation.',
  querystring: prettyOnly,
  response: { 200: Type.Array(CollectionReference) },
}

export const exportAll = {
  tags,
  operationId: 'exportCollections',
  summary: 'Export the collections as a file',
  description: 'The list of the collections as a JSON file that can be imported again.',
  querystring: prettyOnly,
  response: { 200: Type.Array(CollectionReference) },
}

export const importAll = {
  tags,
  operationId: 'importCollections',
  summary: 'Import collections from a file',
  description:
    'Takes the array of an export. Every entry is checked like a PUT first; then all of them are saved, or none. ' +
    'Collections that exist already are replaced.',
  consumes: ['multipart/form-data', 'application/x-www-form-urlencoded'],
  querystring: Type.Object({ pretty, checkfields }),
  body: Type.Object(
    {
      file: Type.String({
        minLength: 2,
        contentMediaType: 'application/json',
        description: 'A JSON array of collection references, as an export has it.',
      }),
    },
    {
      examples: [{ file: exampleFile }],
    },
  ),
  response: { 200: Type.String({ examples: ['2 collections imported: geodata, geodata_actor'] }) },
}

export const get = {
  tags,
  operationId: 'getCollection',
  summary: 'Read a collection',
  params,
  querystring: prettyOnly,
  response: { 200: CollectionReference },
}

export const put = {
  tags,
  operationId: 'putCollection',
  summary: 'Create or replace a collection',
  description:
    'Ties a name to an index and to the paths of identifier, geometry, centroid and timestamp in its documents. ' +
    'The whole reference is replaced, nothing is merged; unknown keys are dropped, except inside the filter. ' +
    'The answer shows the reference with its defaults. No document is touched.',
  params,
  querystring: Type.Object({ pretty, checkfields }),
  body: putParameters,
  response: { 200: CollectionReference },
}

export const remove = {
  tags,
  operationId: 'deleteCollection',
  summary: 'Delete a collection',
  description: 'Only the reference goes; index and documents stay.',
  params,
  querystring: prettyOnly,
  response: { 200: Success },
}

export const patchOrganisations = {
  tags,
  operationId: 'setCollectionOrganisations',
  summary: 'Change who may see a collection',
  description: 'Sets the members given; the others and the owner stay.',
  params,
  querystring: prettyOnly,
  body: OrganisationsUpdate,
  response: { 200: CollectionReference },
}

export const patchDisplayName = {
  tags,
  operationId: 'setCollectionDisplayName',
  summary: "Set a collection's name for display",
  description: 'The body is a JSON string, or the name as plain text.',
  params,
  querystring: prettyOnly,
  body: {
    content: {
      'application/json': {
        // JSON values other than strings are stored as their JSON text.
        schema: Type.Unsafe({ type: ['string', 'number', 'boolean', 'null'], examples: ['My grid'] }),
      },
      'text/plain': { schema: Type.String({ pattern: '\\S', examples: ['My grid'] }) },
    },
  },
  response: { 200: CollectionReference },
}

export const patchFieldNames = {
  tags,
  operationId: 'setFieldDisplayNames',
  summary: 'Set the names of fields for display',
  description: 'Replaces the whole map of field paths to names.',
  params,
  querystring: prettyOnly,
  body: DisplayNames,
  response: { 200: CollectionReference },
}

export const patchShapeColumns = {
  tags,
  operationId: 'setShapeColumnNames',
  summary: 'Set the column names of shapefiles',
  description: 'Replaces the whole map of flattened field names to column names.',
  params,
  querystring: prettyOnly,
  body: DisplayNames,
  response: { 200: CollectionReference },
}
