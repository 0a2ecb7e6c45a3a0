import { type Static, Type } from 'typebox'

export const TileJsonLayer = Type.Object(
  {
    id: Type.String({ description: 'Name of the layer.' }),
    description: Type.String(),
    fields: Type.Record(Type.String(), Type.String(), { description: 'Map of property names to types.' }),
  },
  { $id: 'TileJsonLayer' },
)
export type TileJsonLayer = Static<typeof TileJsonLayer>

/** TileJSON 3.0: the URLs of the tiles and their content. */
export const TileJson = Type.Object(
  {
    tilejson: Type.Literal('3.0.0'),
    name: Type.String(),
    description: Type.Optional(Type.String()),
    attribution: Type.Optional(Type.String({ description: 'HTML.' })),
    scheme: Type.Literal('xyz'),
    tiles: Type.Array(Type.String({ description: 'Absolute URL with {z}, {x} and {y}.' })),
    minzoom: Type.Integer(),
    maxzoom: Type.Integer(),
    bounds: Type.Array(Type.Number(), {
      minItems: 4,
      maxItems: 4,
      description: 'Bounding box of the matching documents: west, south, east, north.',
    }),
    vector_layers: Type.Array(TileJsonLayer),
  },
  { $id: 'TileJson' },
)
export type TileJson = Static<typeof TileJson>
