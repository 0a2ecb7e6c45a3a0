import type {
  CollectionOrganisations,
  CollectionReferenceParameters,
  Inspire,
  OpenSearch,
  RasterTileURL,
} from '../../model/collection.ts'
import { completeDublinCore } from './dublin-core.ts'
import { canonicalWord, classifications, constraints, topicCategories } from './inspire-words.ts'
import { canonicalLanguage } from './language-codes.ts'

const INT32_MAX = 2147483647

/** Values for the defaults of a new reference. */
interface Circumstances {
  readonly name: string
  /** Dublin Core identifier, if the client gives none. */
  readonly identifier: string
  readonly now: number
}

/**
 * Fills in every default of spec 4.1 and 4.2, with members in the order of the specification. Does not set the
 * timestamp format, which depends on the index.
 */
export function completeParameters(given: CollectionReferenceParameters, around: Circumstances) {
  const core = completeDublinCore(given.dublin_core_element_name ?? {}, around)
  return presentMembers({
    index_name: given.index_name,
    id_path: given.id_path,
    geometry_path: given.geometry_path,
    centroid_path: given.centroid_path,
    timestamp_path: given.timestamp_path,
    exclude_fields: given.exclude_fields,
    exclude_wfs_fields: given.exclude_wfs_fields,
    taggable_fields: given.taggable_fields,
    update_max_hits: given.update_max_hits ?? INT32_MAX,
    custom_params: { ...given.custom_params },
    display_names: given.display_names,
    organisations: given.organisations && completeOrganisations(given.organisations),
    atom_feed: given.atom_feed,
    open_search: given.open_search && completeOpenSearch(given.open_search),
    inspire: completeInspire(given.inspire ?? {}, { name: around.name, identifier: core.identifier }),
    dublin_core_element_name: core,
    raster_tile_url: given.raster_tile_url && completeTileUrl(given.raster_tile_url, given.id_path),
    raster_tile_width: given.raster_tile_width ?? -1,
    raster_tile_height: given.raster_tile_height ?? -1,
    filter: given.filter && { ...given.filter, righthand: given.filter.righthand ?? true },
    license_name: given.license_name,
    license_urls: given.license_urls,
    is_stac_model: given.is_stac_model ?? false,
  })
}

/** Organisations are private unless declared public. */
export function completeOrganisations(given: CollectionOrganisations): CollectionOrganisations {
  return presentMembers({ owner: given.owner, shared: given.shared, public: given.public ?? false })
}

function completeOpenSearch(given: OpenSearch): OpenSearch {
  return presentMembers({
    short_name: given.short_name ?? '',
    description: given.description ?? '',
    contact: given.contact ?? '',
    tags: given.tags ?? '',
    long_name: given.long_name ?? '',
    image_height: given.image_height ?? '',
    image_width: given.image_width ?? '',
    image_type: given.image_type ?? '',
    image_url: given.image_url,
    developer: given.developer ?? '',
    attribution: given.attribution ?? '',
    syndication_right: given.syndication_right,
    adult_content: given.adult_content ?? '',
    language: given.language ?? '',
    input_encoding: given.input_encoding ?? '',
    output_encoding: given.output_encoding ?? '',
  })
}

/** Fills in the defaults of INSPIRE metadata (spec 4.2). Enumerated words get the spelling of the code lists. */
function completeInspire(given: Inspire, collection: { readonly name: string; readonly identifier: string }) {
  const uri = given.inspire_uri ?? {}
  const access = given.inspire_limitation_access ?? {}
  return presentMembers({
    keywords: given.keywords ?? [{ value: collection.name }],
    topic_categories: given.topic_categories?.map((word) => canonicalWord(topicCategories, word)),
    lineage: given.lineage,
    languages: given.languages?.map(canonicalLanguage) ?? ['eng'],
    spatial_resolution: given.spatial_resolution,
    inspire_uri: {
      code: uri.code ?? collection.identifier,
      namespace: uri.namespace ?? `PERIPLUS.${collection.name.toUpperCase()}`,
    },
    inspire_use_conditions: given.inspire_use_conditions ?? 'no conditions apply',
    inspire_limitation_access: {
      access_constraints: canonicalWord(constraints, access.access_constraints ?? 'otherRestrictions'),
      other_constraints: access.other_constraints ?? 'no limitations apply',
      classification: canonicalWord(classifications, access.classification ?? 'unclassified'),
    },
  })
}

function completeTileUrl(given: RasterTileURL, idPath: string): RasterTileURL {
  return {
    url: given.url,
    id_path: given.id_path ?? idPath,
    min_z: given.min_z ?? 0,
    max_z: given.max_z ?? 18,
    check_geometry: given.check_geometry ?? false,
  }
}

type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/** Drops undefined members: responses omit them and never contain null instead (spec 1.4.2). */
function presentMembers<T extends object>(members: T): Present<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Present<T>
}
