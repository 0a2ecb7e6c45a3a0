import { type Static, Type } from 'typebox'
import { Filter } from './filter.ts'

const text = (description?: string) => Type.Optional(Type.String(description === undefined ? {} : { description }))

/** Bounds and blank strings are validated in `collections/`. */
const int32 = (description: string, minimum = -2147483648) =>
  Type.Optional(Type.Integer({ description, 'x-documented': { minimum, maximum: 2147483647 } }))

const path = (description: string) => Type.String({ description, 'x-documented': { pattern: '\\S' } })

/** Maximum number of entries of a map. */
const MOST_NAMES = 5_000

/** A map of strings with any keys; Type.Record would not match keys with a line break. */
const textMap = (options: object) =>
  Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    maxProperties: MOST_NAMES,
    ...options,
  })

const texts = (description: string) => Type.Optional(textMap({ description }))

export const CollectionDisplayNames = Type.Object(
  {
    collection: text('display name of the collection'),
    fields: texts('map of field paths to display names'),
    shape_columns: texts('map of flattened field names to column names of shapefiles'),
  },
  { $id: 'CollectionDisplayNames' },
)
export type CollectionDisplayNames = Static<typeof CollectionDisplayNames>

export const CollectionOrganisations = Type.Object(
  {
    owner: text('organisation that may change the collection'),
    shared: Type.Optional(Type.Array(Type.String(), { description: 'organisations that may read the collection' })),
    public: Type.Optional(Type.Boolean({ description: 'true: everybody may read the collection; default: false' })),
  },
  { $id: 'CollectionOrganisations' },
)
export type CollectionOrganisations = Static<typeof CollectionOrganisations>

/** Body of PATCH /collections/{collection}/organisations. */
export const OrganisationsUpdate = Type.Object(
  {
    shared: Type.Optional(Type.Array(Type.String())),
    public: Type.Optional(Type.Boolean()),
  },
  { $id: 'OrganisationsUpdate', additionalProperties: false, examples: [{ shared: ['foo.com'], public: true }] },
)
export type OrganisationsUpdate = Static<typeof OrganisationsUpdate>

/** Body of PATCH .../display_names/fields and .../shape_columns. */
export const DisplayNames = textMap({ $id: 'DisplayNames', examples: [{ id: 'Name' }] })
export type DisplayNames = Static<typeof DisplayNames>

const Person = Type.Object({ name: text(), email: text(), uri: text() }, { $id: 'Person' })

const Generator = Type.Object({ name: text(), version: text(), uri: text() }, { $id: 'Generator' })

export const Feed = Type.Object(
  {
    author: Type.Optional(Person),
    contributor: Type.Optional(Person),
    icon: text(),
    logo: text(),
    rights: text(),
    subtitle: text(),
    generator: Type.Optional(Generator),
  },
  { $id: 'Feed' },
)
export type Feed = Static<typeof Feed>

export const OpenSearch = Type.Object(
  {
    short_name: text(),
    description: text(),
    contact: text(),
    tags: text(),
    long_name: text(),
    image_height: text(),
    image_width: text(),
    image_type: text(),
    image_url: text(),
    developer: text(),
    attribution: text(),
    syndication_right: text(),
    adult_content: text(),
    language: text(),
    input_encoding: text(),
    output_encoding: text(),
  },
  { $id: 'OpenSearch' },
)
export type OpenSearch = Static<typeof OpenSearch>

const Keyword = Type.Object(
  { value: text(), vocabulary: text(), date_of_publication: text('yyyy-MM-dd') },
  { $id: 'Keyword' },
)

const InspireSpatialResolution = Type.Object(
  { value: Type.Optional(Type.Number()), unit_of_measure: text('required unless the value is an integer') },
  { $id: 'InspireSpatialResolution' },
)

const InspireURI = Type.Object({ code: text(), namespace: text() }, { $id: 'InspireURI' })

const InspireLimitationAccess = Type.Object(
  { access_constraints: text(), other_constraints: text(), classification: text() },
  { $id: 'InspireLimitationAccess' },
)

export const Inspire = Type.Object(
  {
    keywords: Type.Optional(Type.Array(Keyword)),
    topic_categories: Type.Optional(Type.Array(Type.String())),
    lineage: text(),
    languages: Type.Optional(Type.Array(Type.String(), { description: 'ISO 639-2 codes' })),
    spatial_resolution: Type.Optional(InspireSpatialResolution),
    inspire_uri: Type.Optional(InspireURI),
    inspire_limitation_access: Type.Optional(InspireLimitationAccess),
    inspire_use_conditions: text(),
  },
  { $id: 'Inspire' },
)
export type Inspire = Static<typeof Inspire>

export const Bbox = Type.Object(
  { north: Type.Number(), south: Type.Number(), east: Type.Number(), west: Type.Number() },
  { $id: 'Bbox' },
)
export type Bbox = Static<typeof Bbox>

export const DublinCoreElementName = Type.Object(
  {
    title: text(),
    creator: text(),
    subject: text(),
    description: text(),
    publisher: text(),
    contributor: text(),
    type: text(),
    format: text(),
    identifier: text('default: a new UUID'),
    source: text(),
    language: text(),
    date: text('default: now'),
    bbox: Type.Optional(Bbox),
    coverage_centroid: text('computed: "lat,lon" of the centre of bbox'),
    coverage: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'computed: bbox as a GeoJSON Polygon' }),
    ),
  },
  { $id: 'DublinCoreElementName' },
)
export type DublinCoreElementName = Static<typeof DublinCoreElementName>

export const RasterTileURL = Type.Object(
  {
    url: path('URL template of the images, with {id}, {z}, {x} and {y}'),
    id_path: text('default: the id_path of the collection'),
    min_z: int32('default: 0'),
    max_z: int32('default: 18'),
    check_geometry: Type.Optional(Type.Boolean({ description: 'default: false' })),
  },
  { $id: 'RasterTileURL' },
)
export type RasterTileURL = Static<typeof RasterTileURL>

/**
 * Connects a collection to an index; a stored one has its defaults filled in. Unknown keys are dropped, except inside
 * the filter (spec 1.3.4).
 */
export const CollectionReferenceParameters = Type.Object(
  {
    index_name: path('an index, an alias, or a pattern with *'),
    id_path: path('path of the identifier, a KEYWORD or an integer'),
    geometry_path: path('path of a GEO_POINT or GEO_SHAPE'),
    centroid_path: path('path of a GEO_POINT or GEO_SHAPE'),
    timestamp_path: path('path of a DATE'),
    exclude_fields: text('comma-separated patterns of fields that are never returned'),
    exclude_wfs_fields: text(),
    taggable_fields: text('comma-separated paths of the fields that may be tagged'),
    update_max_hits: int32('maximum number of documents that one unit of a tag may change; default: 2147483647', 0),
    custom_params: texts('custom strings; timestamp_format is set by the server'),
    display_names: Type.Optional(CollectionDisplayNames),
    organisations: Type.Optional(CollectionOrganisations),
    atom_feed: Type.Optional(Feed),
    open_search: Type.Optional(OpenSearch),
    inspire: Type.Optional(Inspire),
    dublin_core_element_name: Type.Optional(DublinCoreElementName),
    raster_tile_url: Type.Optional(RasterTileURL),
    raster_tile_width: int32('default: -1'),
    raster_tile_height: int32('default: -1'),
    filter: Type.Optional(Filter),
    license_name: text(),
    license_urls: Type.Optional(Type.Array(Type.String())),
    is_stac_model: Type.Optional(Type.Boolean({ description: 'default: false' })),
  },
  { $id: 'CollectionReferenceParameters' },
)
export type CollectionReferenceParameters = Static<typeof CollectionReferenceParameters>

export const CollectionReference = Type.Object(
  { collection_name: Type.String(), params: CollectionReferenceParameters },
  { $id: 'CollectionReference', additionalProperties: false },
)
export type CollectionReference = Static<typeof CollectionReference>
