import { Type } from 'typebox'
import {
  CollectionReference,
  CollectionReferenceParameters,
  DisplayNames,
  OrganisationsUpdate,
} from '../../model/collection.ts'

/** OpenAPI descriptions of the collection routes. The code in `collections/` validates requests. */

const tags = ['Collections']

const pretty = Type.Optional(Type.Boolean({ default: false, description: 'Indent the response.' }))

const checkfields = Type.Optional(
  Type.Boolean({
    default: true,
    description: 'Check that the index exists and has the four fields with suitable types.',
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
      Type.Unknown({
        deprecated: true,
        description: 'Accepted for compatibility with an earlier revision, and ignored.',
      }),
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
  description: 'All collections that the caller may see, in order of creation.',
  querystring: prettyOnly,
  response: { 200: Type.Array(CollectionReference) },
}

export const exportAll = {
  tags,
  operationId: 'exportCollections',
  summary: 'Export the collections as a file',
  description: 'Returns the list of collections as a JSON file that can be imported.',
  querystring: prettyOnly,
  response: { 200: Type.Array(CollectionReference) },
}

export const importAll = {
  tags,
  operationId: 'importCollections',
  summary: 'Import collections from a file',
  description:
    'Accepts the array of an export. All entries are validated as in PUT, then all of them are saved, or none. ' +
    'Existing collections are replaced.',
  consumes: ['multipart/form-data', 'application/x-www-form-urlencoded'],
  querystring: Type.Object({ pretty, checkfields }),
  body: Type.Object(
    {
      file: Type.String({
        minLength: 2,
        contentMediaType: 'application/json',
        description: 'A JSON array of collection references, as in an export.',
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
  summary: 'Get a collection',
  params,
  querystring: prettyOnly,
  response: { 200: CollectionReference },
}

export const put = {
  tags,
  operationId: 'putCollection',
  summary: 'Create or replace a collection',
  description:
    'Maps a name to an index and to the paths of identifier, geometry, centroid and timestamp in its documents. ' +
    'The complete reference is replaced. Unknown keys are ignored, except inside the filter, where they are errors. ' +
    'The response contains the reference with its defaults. Documents are not changed.',
  params,
  querystring: Type.Object({ pretty, checkfields }),
  body: putParameters,
  response: { 200: CollectionReference },
}

export const remove = {
  tags,
  operationId: 'deleteCollection',
  summary: 'Delete a collection',
  description: 'Deletes only the reference. The index and its documents are kept.',
  params,
  querystring: prettyOnly,
  response: { 200: Success },
}

export const patchOrganisations = {
  tags,
  operationId: 'setCollectionOrganisations',
  summary: 'Change the organisations that may read a collection',
  description: 'Sets the given members. Other members and the owner are not changed.',
  params,
  querystring: prettyOnly,
  body: OrganisationsUpdate,
  response: { 200: CollectionReference },
}

export const patchDisplayName = {
  tags,
  operationId: 'setCollectionDisplayName',
  summary: 'Set the display name of a collection',
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
  summary: 'Set the display names of fields',
  description: 'Replaces the complete map of field paths to names.',
  params,
  querystring: prettyOnly,
  body: DisplayNames,
  response: { 200: CollectionReference },
}

export const patchShapeColumns = {
  tags,
  operationId: 'setShapeColumnNames',
  summary: 'Set the column names of shapefiles',
  description: 'Replaces the complete map of flattened field names to column names.',
  params,
  querystring: prettyOnly,
  body: DisplayNames,
  response: { 200: CollectionReference },
}
