import { collections, mapping } from '../../test/conformance/dataset.ts'
import type { IndexInfo } from '../engine/engine.ts'
import type { Mapping } from '../model/mapping.ts'

/** The sample of the specification (6.2, 6.3, 4.3) as data, for the tests of this folder. */

export const sampleMapping: Mapping = mapping

export const sampleIndex = (name: string, mapping: Mapping = sampleMapping): IndexInfo => ({
  name,
  mapping,
  uuid: name,
})

export const geodataBody = collections.geodata

/** R1, the response of spec 4.3 to `PUT /collections/geodata`. */
export const geodataAnswer = `{"collection_name":"geodata","params":{"index_name":"dataset","id_path":"id","geometry_path":"geo_params.geometry",
 "centroid_path":"geo_params.centroid","timestamp_path":"params.startdate","exclude_fields":"params.ci*",
 "exclude_wfs_fields":"params.country","taggable_fields":"params.tags,params.job","update_max_hits":2147483647,
 "custom_params":{"timestamp_format":"epoch_millis"},"organisations":{"owner":"foo","shared":["bar"],"public":false},
 "inspire":{"keywords":[{"value":"geodata"}],"topic_categories":["biota"],"lineage":"computed grid","languages":["eng"],
  "inspire_uri":{"code":"geodata-0001","namespace":"PERIPLUS.GEODATA"},"inspire_use_conditions":"no conditions apply",
  "inspire_limitation_access":{"access_constraints":"otherRestrictions","other_constraints":"no limitations apply","classification":"unclassified"}},
 "dublin_core_element_name":{"title":"geodata","creator":"","subject":"","description":"Sample grid","publisher":"","contributor":"",
  "type":"","format":"","identifier":"geodata-0001","source":"","language":"eng","date":"2020-01-01T00:00:00",
  "bbox":{"north":90,"south":-90,"east":180,"west":-180},"coverage_centroid":"0,0",
  "coverage":{"type":"Polygon","coordinates":[[[-180,-90],[180,-90],[180,90],[-180,90],[-180,-90]]]}},
 "raster_tile_url":{"url":"http://tiles.test/{id}/{z}/{x}/{y}.png","id_path":"id","min_z":5,"max_z":18,"check_geometry":true},
 "raster_tile_width":256,"raster_tile_height":256,"is_stac_model":false}}`

/** The smallest valid body of a PUT. */
export const smallBody = {
  index_name: 'dataset',
  id_path: 'id',
  geometry_path: 'geo_params.geometry',
  centroid_path: 'geo_params.centroid',
  timestamp_path: 'params.startdate',
}
