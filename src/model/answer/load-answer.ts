import { Type } from 'typebox'

/** Responses of the routes that load files. */

const text = (description: string) => Type.Optional(Type.String({ description }))
const count = (description: string) => Type.Integer({ minimum: 0, description })

const Reject = Type.Object({
  file: text('File of an archive with several.'),
  line: count('Line or row.'),
  reason: Type.String({ description: 'Why it was rejected.' }),
  text: Type.String({ description: 'Beginning of the row.' }),
})

const Column = Type.Object({
  path: Type.String(),
  type: Type.String({ description: 'Type in the mapping.' }),
  format: text('Format of dates.'),
  example: text('A value.'),
})

const Plan = Type.Object({
  files: Type.Array(
    Type.Object({
      name: Type.String(),
      format: Type.String(),
      crs: text('Coordinate system that is converted to degrees.'),
    }),
  ),
  mapping: Type.Object({}, { additionalProperties: true, description: 'Mapping of the index.' }),
  paths: Type.Object(
    { id: text('Identifier.'), geometry: text('Geometry.'), centroid: text('Centroid.'), timestamp: text('Time.') },
    { description: 'Fields of the collection.' },
  ),
  idFrom: Type.Enum(['stated', 'found', 'row', 'nothing'], { description: 'row: the number of the row.' }),
  timestampFrom: Type.Enum(['stated', 'found', 'loaded', 'nothing'], { description: 'loaded: the moment of loading.' }),
  columns: Type.Array(Column),
  checked: Type.Object({
    documents: count('Documents that were read to decide.'),
    isWhole: Type.Boolean({ description: 'True if these are all.' }),
    misplaced: count('Documents with coordinates out of range.'),
  }),
  place: Type.Optional(
    Type.Object({ kind: Type.String() }, { additionalProperties: true, description: 'Fields the place is made of.' }),
  ),
})

const members = {
  index: Type.String(),
  collection: text('Absent if the index is not registered.'),
  loaded: Type.Optional(
    Type.Object(
      {
        created: count('New documents.'),
        replaced: count('Documents that replaced existing ones.'),
        rejected: count('Rejected rows.'),
      },
      { description: 'Absent for a dry run.' },
    ),
  ),
  rejects: Type.Array(Reject, { description: 'The first 100 rejected rows.' }),
  notes: Type.Array(Type.String(), { description: 'What was assumed, in sentences.' }),
  plan: Plan,
}

export const LoadAnswer = Type.Object(members, { $id: 'LoadReport', description: 'What was loaded.' })

export const LoadLine = Type.Union(
  [
    Type.Object({ type: Type.Literal('note'), text: Type.String() }),
    Type.Object({
      type: Type.Literal('progress'),
      size: count('Bytes of the file.'),
      bytes: count('Bytes read.'),
      documents: count('Documents written.'),
      rejected: count('Rows rejected.'),
    }),
    Type.Object({ type: Type.Literal('report'), ...members }),
    Type.Object({
      type: Type.Literal('error'),
      status: Type.Integer(),
      error: Type.String(),
      message: Type.String(),
    }),
  ],
  { $id: 'LoadLine' },
)
