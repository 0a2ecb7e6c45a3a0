/** What a field name suggests about its content; used only where the values are ambiguous. */

/** `params.startDate` -> `start_date`, so that one word list covers all naming styles. */
function words(name: string): readonly string[] {
  const last = name.slice(name.lastIndexOf('.') + 1)
  return last
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
}

const POINT = new Set(
  'location loc point centroid center centre position coordinates coordinate coords coord latlon lonlat latlng geopoint'.split(
    ' ',
  ),
)
const SHAPE = new Set('geometry geom shape geojson wkt footprint polygon boundary boundaries outline'.split(' '))
const TIME = new Set(
  'time timestamp date datetime day created updated modified published observed acquired seen when start end at ts'.split(
    ' ',
  ),
)

/** True if the last word names a point (`location`, `start_point`, `geo.centroid`). */
export function namesPoint(name: string): boolean {
  const parts = words(name)
  const joined = parts.join('')
  return POINT.has(parts.at(-1) ?? '') || POINT.has(joined) || joined === 'geo'
}

/** True for names of geometries: `geometry`, `geom`, `footprint`, `the_geom`. */
export function namesShape(name: string): boolean {
  return SHAPE.has(words(name).at(-1) ?? '')
}

/** True for names of times: `time`, `created_at`, `startDate`, `date_of_birth`, `timestamp`. */
export function namesTime(name: string): boolean {
  const parts = words(name)
  const joined = parts.join('')
  if (/(date|timestamp|datetime)$/.test(joined) || parts[0] === 'date') return true
  return TIME.has(parts.at(-1) ?? '')
}

const rank =
  (wanted: readonly string[]) =>
  (name: string): number => {
    const at = wanted.indexOf(words(name).join('_'))
    return at < 0 ? Number.POSITIVE_INFINITY : at
  }

/** Smaller is better; infinite if the name does not look like an identifier. */
export const rankId = rank(
  'id identifier uuid guid uid fid gid ogc_fid objectid object_id feature_id document_id doc_id'.split(' '),
)
export const rankTimestamp = rank(
  'timestamp datetime date_time time date event_date event_time start_date startdate start_time start created_at created observed_at acquired acquisition_date day'.split(
    ' ',
  ),
)
export const rankCentroid = rank(
  'centroid location point position center centre coordinates loc geo_point geopoint geo'.split(' '),
)
export const rankGeometry = rank(
  'geometry geom the_geom shape footprint geojson wkt wkt_geometry wkb_geometry polygon outline boundary'.split(' '),
)
export const rankLongitude = rank(
  'longitude lon lng long x lon_dd decimal_longitude decimallongitude longitude_deg lon_deg longitude_wgs84 gps_longitude geo_lon stop_lon start_lng start_longitude pickup_longitude intptlon intptlong longitud longitudine laenge x_coord coord_x x_coordinate xcoord centroid_x cx'.split(
    ' ',
  ),
)
export const rankLatitude = rank(
  'latitude lat y lat_dd decimal_latitude decimallatitude latitude_deg lat_deg latitude_wgs84 gps_latitude geo_lat stop_lat start_lat start_latitude pickup_latitude intptlat latitud latitudine breite y_coord coord_y y_coordinate ycoord centroid_y cy'.split(
    ' ',
  ),
)
export const rankEasting = rank('easting eastings east e x x_coord coord_x x_coordinate xcoord rechtswert'.split(' '))
export const rankNorthing = rank('northing northings north n y y_coord coord_y y_coordinate ycoord hochwert'.split(' '))
export const rankYear = rank('year annee ano jahr anno jaar yr'.split(' '))

const KEYS = new Set(
  'id code key uuid guid uid iata icao zip zipcode postcode postal isbn isin number num no nr ref reference identifier fips geoid iso iso2 iso3 imo mmsi siren siret insee nuts nis osm wikidata plate serial slug'.split(
    ' ',
  ),
)

/** True for names of keys, which may identify documents: `iata`, `zip_code`, `stationId`, `iso_a3`. */
export function namesKey(name: string): boolean {
  const parts = words(name)
  return KEYS.has(parts.at(-1) ?? '') || KEYS.has(parts[0] ?? '') || /(id|code)$/.test(parts.at(-1) ?? '')
}
