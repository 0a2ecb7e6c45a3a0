import { createRequire } from 'node:module'
import proj4 from 'proj4'
import { isRecord } from '../../model/json/json-object.ts'
import { InputFault } from '../source/input-fault.ts'

/** Converts a position to longitude and latitude. */
type ToDegrees = (position: readonly number[]) => readonly number[]

/** A coordinate system whose positions can be converted to WGS 84. */
export interface CoordinateSystem {
  /** `EPSG:3857`, or the name a definition has. */
  readonly name: string
  /** Absent if the coordinates are degrees of WGS 84 already. */
  readonly toDegrees?: ToDegrees
}

const WGS_84: CoordinateSystem = { name: 'EPSG:4326' }

/** Names of longitude and latitude in degrees, for which the difference to WGS 84 is about a metre at most. */
const DEGREES = new Set(['4326', '4979', '4258', '4269', 'CRS84', 'CRS84H', 'CRS83', 'WGS84'])

/** Codes of Web Mercator besides 3857. */
const WEB_MERCATOR = new Set(['900913', '3785', '102100', '102113', '3587', '54004'])

let definitions: ReadonlyMap<string, string> | undefined

/** Definitions by EPSG code, read with the first projected file. */
function definitionOf(code: string): string | undefined {
  definitions ??= new Map(readDefinitions())
  return definitions.get(`EPSG:${WEB_MERCATOR.has(code) ? '3857' : code}`)
}

function readDefinitions(): readonly (readonly [string, string])[] {
  const all: unknown = createRequire(import.meta.url)('proj4js-definitions/proj4js-definitions.json')
  return Array.isArray(all) ? all.map((pair): [string, string] => [String(pair[0]), String(pair[1])]) : []
}

/** Finds the code in `EPSG:3857`, `urn:ogc:def:crs:EPSG::3857`, `http://www.opengis.net/def/crs/EPSG/0/3857`, `3857`. */
const CODE = /^(?:.*[:/#])?(?:\d+(?:\.\d+)?\/)?([A-Za-z]*\d+[A-Za-z]?)$/

/**
 * Reads a coordinate system from a name, a code, WKT (as in `.prj`) or a PROJ string. Throws InputFault if it is not
 * known.
 */
export function parseCoordinateSystem(text: string): CoordinateSystem {
  const trimmed = text.trim()
  if (/^[A-Z_a-z]+\s*\[/.test(trimmed)) return fromWkt(trimmed)
  if (trimmed.startsWith('+proj') || trimmed.startsWith('+init')) return fromDefinition(trimmed, trimmed)
  const code = CODE.exec(trimmed.replace(/\s+/g, ''))?.[1]?.toUpperCase()
  if (code === undefined) throw unknown(text)
  if (DEGREES.has(code)) return WGS_84
  const definition = definitionOf(code)
  if (definition === undefined) throw unknown(text)
  return fromDefinition(`EPSG:${code}`, definition)
}

/** Reads the PROJJSON of GeoParquet metadata. */
export function parseProjJson(value: unknown): CoordinateSystem | undefined {
  if (!isRecord(value)) return undefined
  if (isRecord(value.id) && value.id.code !== undefined) {
    const code = String(value.id.code).toUpperCase()
    if (DEGREES.has(code) || definitionOf(code) !== undefined) return parseCoordinateSystem(code)
  }
  return fromDefinition(String(value.name ?? 'of the file'), value)
}

function fromWkt(wkt: string): CoordinateSystem {
  const name = /^[^[]*\[\s*"([^"]*)"/.exec(wkt)?.[1] ?? 'of the file'
  // the code is the last authority of the text; codes inside belong to its parts
  const code = /(?:AUTHORITY|ID)\s*\[\s*"EPSG"\s*,\s*"?(\d+)"?\s*\]\s*\]\s*$/.exec(wkt)?.[1]
  if (code !== undefined && (DEGREES.has(code) || definitionOf(code) !== undefined)) return parseCoordinateSystem(code)
  if (/^GEOG(CS|CRS)/.test(wkt) && /WGS[_ ]?(19)?84|ETRS[_ ]?(19)?89|North_American_1983|NAD83|GRS[_ ]1980/i.test(wkt))
    return WGS_84
  return fromDefinition(name, wkt)
}

function fromDefinition(name: string, definition: string | object): CoordinateSystem {
  const converter = converterOf(name, definition)
  return {
    name,
    toDegrees: ([x = Number.NaN, y = Number.NaN]) => {
      if (!Number.isFinite(x) || !Number.isFinite(y)) return [x, y]
      const [lon = Number.NaN, lat = Number.NaN] = converter.forward([x, y])
      return [roundDegrees(lon), roundDegrees(lat)]
    },
  }
}

function converterOf(name: string, definition: string | object) {
  try {
    // the package accepts PROJJSON too, which its types do not say
    const converter = proj4(definition as string, 'EPSG:4326')
    converter.forward([0, 0])
    return converter
  } catch (error) {
    throw unknown(name, error)
  }
}

/** Nine digits are a tenth of a millimetre; more are noise of the computation. */
const roundDegrees = (value: number): number => Math.round(value * 1e9) / 1e9

function unknown(text: string, cause?: unknown): InputFault {
  const why = cause instanceof Error ? ` (${cause.message})` : ''
  const shown = text.length > 100 ? `${text.slice(0, 100)}...` : text
  return new InputFault(
    `The coordinate system ${shown} is not known${why}: state it with --crs, for example --crs EPSG:25832.`,
  )
}
