import { type Static, Type } from 'typebox'
import type { Geometry } from '../geometry.ts'
import type { JsonObject } from '../json/document.ts'
import { Search } from '../search.ts'

const geometryTypes = [
  'Point',
  'MultiPoint',
  'LineString',
  'MultiLineString',
  'Polygon',
  'MultiPolygon',
  'GeometryCollection',
]

/** GeoJSON as the server writes it: `type` and `coordinates` (or `geometries`), no `crs`, no `bbox`. */
export const GeoJsonGeometry = Type.Unsafe<Geometry>({
  type: 'object',
  description: 'A GeoJSON geometry; positions are [lon, lat] or [lon, lat, alt].',
  required: ['type'],
  properties: {
    type: { type: 'string', enum: geometryTypes },
    coordinates: { type: 'array', items: {} },
    geometries: { type: 'array', items: { type: 'object', additionalProperties: true } },
  },
})

const DocumentData = Type.Unsafe<JsonObject>({
  type: 'object',
  additionalProperties: true,
  description: 'The document after projection. With flat=true, nested keys are joined with `_`.',
})

export const ReturnedGeometry = Type.Object(
  { path: Type.String({ description: 'Path of the field.' }), geometry: GeoJsonGeometry },
  { $id: 'ReturnedGeometry' },
)
export type ReturnedGeometry = Static<typeof ReturnedGeometry>

/** Metadata of the document of a hit (spec 5.5). */
export const HitMetadata = Type.Object(
  {
    id: Type.Optional(Type.String({ description: 'The value of id_path as a string.' })),
    timestamp: Type.Optional(Type.Integer({ description: 'The value of timestamp_path, in milliseconds since 1970.' })),
    geometry: Type.Optional(GeoJsonGeometry),
    centroid: Type.Optional(GeoJsonGeometry),
    returned_geometries: Type.Optional(Type.Array(ReturnedGeometry)),
  },
  { $id: 'MD' },
)
export type HitMetadata = Static<typeof HitMetadata>

export const Hit = Type.Object({ md: HitMetadata, data: DocumentData }, { $id: 'Hit', description: 'One document.' })
export type Hit = Static<typeof Hit>

export const Link = Type.Object(
  {
    href: Type.String({ description: 'Absolute URL.' }),
    method: Type.Union([Type.Literal('GET'), Type.Literal('POST')]),
    body: Type.Optional(Search),
  },
  { $id: 'Link' },
)
export type Link = Static<typeof Link>

export const Links = Type.Object(
  { self: Link, next: Type.Optional(Link), previous: Type.Optional(Link) },
  { $id: 'Links' },
)
export type Links = Static<typeof Links>

export const Hits = Type.Object(
  {
    collection: Type.String(),
    hits: Type.Array(Hit),
    nbhits: Type.Integer({ description: 'Number of hits on this page.' }),
    totalnb: Type.Integer({ description: 'Number of matching documents.' }),
    links: Links,
  },
  { $id: 'Hits', description: 'A page of the matching documents.' },
)
export type Hits = Static<typeof Hits>

/** Response of `_count`: the totals of Hits, without hits and links. */
export const CountedHits = Type.Object(
  {
    collection: Type.String(),
    nbhits: Type.Integer({ description: 'Number of hits on a page of the default size.' }),
    totalnb: Type.Integer({ description: 'Number of matching documents.' }),
  },
  { $id: 'CountedHits', description: 'The number of matching documents.' },
)
export type CountedHits = Static<typeof CountedHits>

export const Feature = Type.Object(
  {
    type: Type.Literal('Feature'),
    geometry: GeoJsonGeometry,
    properties: Type.Unsafe<Readonly<Record<string, unknown>>>({
      type: 'object',
      additionalProperties: true,
      description:
        'The document after projection, plus `md` (a string with flat=true), `feature_type` and `geometry_path`.',
    }),
  },
  { $id: 'Feature' },
)
export type Feature = Static<typeof Feature>

export const FeatureCollection = Type.Object(
  { type: Type.Literal('FeatureCollection'), features: Type.Array(Feature) },
  { $id: 'FeatureCollection', description: 'The matching documents as GeoJSON features.' },
)
export type FeatureCollection = Static<typeof FeatureCollection>
