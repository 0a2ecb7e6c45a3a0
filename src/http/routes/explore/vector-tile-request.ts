import type { FastifyRequest } from 'fastify'
import type { Settings } from '../../../config/settings.ts'
import { problem } from '../../../errors.ts'
import type { Operation } from '../../../explore/operation.ts'
import { type CellOptions, cellForms } from '../../../explore/tile/cell-layer.ts'
import { type LayerName, layerNames, type VectorTileRequest } from '../../../explore/tile/vector-tile.ts'
import { geometryFilterNames } from '../../../model/geometry-filters.ts'
import { type Parameters, readParameters } from '../../request/parameters.ts'
import { pageWithin } from './tile-request.ts'

/** Default number of zoom levels between a tile and its cells: 1024 cells. */
const DEFAULT_INTERVAL = 5

/** All parameters of a vector tile. The tile URL of a TileJSON document keeps them. */
export const vectorTileParameters: ReadonlySet<string> = new Set([
  'f',
  'q',
  'dateformat',
  'righthand',
  ...geometryFilterNames,
  'size',
  'from',
  'sort',
  'after',
  'before',
  'include',
  'layers',
  'interval',
  'cells',
  'agg',
  'max-age-cache',
])

export function readVectorTile(
  request: FastifyRequest,
  operation: Operation,
  { tiles, limits }: Settings,
): { readonly value: VectorTileRequest; readonly bounded: Operation } {
  const parameters = readParameters(request)
  const limit = { max: tiles.maxElements, setting: 'tiles.maxElements' }
  const { search, bounded } = pageWithin(request, operation, limit, tiles.maxElements)
  const includes = parameters.text('include')
  const layers = readLayers(parameters)
  const cells = readCells(parameters, limits.geotileDepth)
  const projected = includes === undefined ? search : { ...search, projection: { includes } }
  return { value: { search: projected, layers, cells }, bounded }
}

function readLayers(parameters: Parameters): readonly LayerName[] {
  const text = parameters.text('layers')
  if (text === undefined) return layerNames
  const asked = text.split(',').map((name) => name.trim().toLowerCase())
  if (asked.every((name) => layerNames.some((known) => known === name))) {
    return layerNames.filter((name) => asked.includes(name))
  }
  const reason = `must be a comma-separated list of ${layerNames.join(', ')}`
  throw problem('INVALID_PARAMETER', { parameter: 'layers', value: text, reason })
}

function readCells(parameters: Parameters, deepest: number): CellOptions {
  const limit = { max: deepest, setting: 'limits.geotileDepth' }
  const interval = parameters.integer('interval', { min: 0, limit }) ?? Math.min(DEFAULT_INTERVAL, deepest)
  const text = parameters.text('cells')
  const form = text === undefined ? 'polygons' : cellForms.find((known) => known === text.toLowerCase())
  if (form === undefined) {
    const reason = `must be ${cellForms.join(' or ')}`
    throw problem('INVALID_PARAMETER', { parameter: 'cells', value: text, reason })
  }
  const agg = parameters.text('agg')
  return { interval, form, ...(agg === undefined ? {} : { agg }) }
}
