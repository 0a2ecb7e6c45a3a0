import type { Geometry, Position } from '../../model/geometry.ts'
import { element, type XmlElement } from './xml.ts'

const WGS_84 = 'urn:ogc:def:crs:EPSG::4326'

/** Returns a geometry as GML, latitude first as in its reference system. */
export function gmlOf(geometry: Geometry): XmlElement {
  const gml = bare(geometry)
  return { ...gml, attributes: { srsName: WGS_84, ...gml.attributes } }
}

function bare(geometry: Geometry): XmlElement {
  switch (geometry.type) {
    case 'Point':
      return element('gml:Point', {}, [element('gml:pos', {}, [listed([geometry.coordinates])])])
    case 'LineString':
      return element('gml:LineString', {}, [positions(geometry.coordinates)])
    case 'Polygon':
      return polygon(geometry.coordinates)
    case 'MultiPoint':
      return several('gml:MultiPoint', 'gml:pointMember', geometry.coordinates, (p) =>
        bare({ type: 'Point', coordinates: p }),
      )
    case 'MultiLineString':
      return several('gml:MultiCurve', 'gml:curveMember', geometry.coordinates, (line) =>
        element('gml:LineString', {}, [positions(line)]),
      )
    case 'MultiPolygon':
      return several('gml:MultiSurface', 'gml:surfaceMember', geometry.coordinates, polygon)
    case 'GeometryCollection':
      return several('gml:MultiGeometry', 'gml:geometryMember', geometry.geometries, bare)
  }
}

function polygon(rings: readonly (readonly Position[])[]): XmlElement {
  const sides = rings.map((ring, i) =>
    element(i === 0 ? 'gml:exterior' : 'gml:interior', {}, [element('gml:LinearRing', {}, [positions(ring)])]),
  )
  return element('gml:Polygon', {}, sides)
}

const several = <T>(name: string, member: string, parts: readonly T[], write: (part: T) => XmlElement): XmlElement =>
  element(
    name,
    {},
    parts.map((part) => element(member, {}, [write(part)])),
  )

const positions = (line: readonly Position[]): XmlElement => element('gml:posList', {}, [listed(line)])

const listed = (line: readonly Position[]): string => line.map(([lon, lat]) => `${lat} ${lon}`).join(' ')
