/** The references the server stores for the two sample collections (spec 4.3, 6.3). */

const dublinCore = {
  title: 'geodata',
  creator: '',
  subject: '',
  description: 'Sample grid',
  publisher: '',
  contributor: '',
  type: '',
  format: '',
  identifier: 'geodata-0001',
  source: '',
  language: 'eng',
  date: '2020-01-01T00:00:00',
  bbox: { north: 90, south: -90, east: 180, west: -180 },
  coverage_centroid: '0,0',
  coverage: {
    type: 'Polygon',
    coordinates: [
      [
        [-180, -90],
        [180, -90],
        [180, 90],
        [-180, 90],
        [-180, -90],
      ],
    ],
  },
}

const inspire = {
  keywords: [{ value: 'geodata' }],
  topic_categories: ['biota'],
  lineage: 'computed grid',
  languages: ['eng'],
  inspire_uri: { code: 'geodata-0001', namespace: 'PERIPLUS.GEODATA' },
  inspire_use_conditions: 'no conditions apply',
  inspire_limitation_access: {
    access_constraints: 'otherRestrictions',
    other_constraints: 'no limitations apply',
    classification: 'unclassified',
  },
}

const params = {
  index_name: 'dataset',
  id_path: 'id',
  geometry_path: 'geo_params.geometry',
  centroid_path: 'geo_params.centroid',
  timestamp_path: 'params.startdate',
  exclude_fields: 'params.ci*',
  exclude_wfs_fields: 'params.country',
  taggable_fields: 'params.tags,params.job',
  update_max_hits: 2147483647,
  custom_params: { timestamp_format: 'epoch_millis' },
  organisations: { owner: 'foo', shared: ['bar'], public: false },
  inspire,
  dublin_core_element_name: dublinCore,
  raster_tile_url: {
    url: 'http://tiles.test/{id}/{z}/{x}/{y}.png',
    id_path: 'id',
    min_z: 5,
    max_z: 18,
    check_geometry: true,
  },
  raster_tile_width: 256,
  raster_tile_height: 256,
  is_stac_model: false,
}

/** R1: the reference of geodata. */
export const geodataReference = (indexName: string) => ({
  collection_name: 'geodata',
  params: { ...params, index_name: indexName },
})

/** R2: the reference of geodata_actor. */
export const actorReference = (indexName: string) => ({
  collection_name: 'geodata_actor',
  params: {
    ...params,
    index_name: indexName,
    filter: { f: [[{ field: 'params.job', op: 'eq', value: 'Actor' }]], righthand: true },
    inspire: {
      ...inspire,
      keywords: [{ value: 'geodata_actor' }],
      inspire_uri: { code: 'geodata_actor-0001', namespace: 'PERIPLUS.GEODATA_ACTOR' },
    },
    dublin_core_element_name: { ...dublinCore, title: 'geodata_actor', identifier: 'geodata_actor-0001' },
  },
})
