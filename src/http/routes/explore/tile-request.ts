import type { FastifyRequest } from 'fastify'
import { type Problem, problem } from '../../../errors.ts'
import type { Tile } from '../../../explore/geosearch.ts'
import type { Operation } from '../../../explore/operation.ts'
import type { Search } from '../../../model/search.ts'
import { readPage, type SizeLimit } from './explore-request.ts'

interface TilePath {
  readonly z: string
  readonly x: string
  readonly y: string
}

export interface NamedTile {
  Params: { readonly collection: string } & TilePath
}

/** Maximum zoom of a tile (spec 5.7, and 4.4 of aggregations). */
const DEEPEST_ZOOM = 28

export function readTile(path: TilePath): Tile {
  const [z, x, y] = [readZoom(path), integerIn(path.x), integerIn(path.y)]
  const last = 2 ** z - 1
  if (x >= 0 && x <= last && y >= 0 && y <= last) return { z, x, y }
  throw badTile(path, String(last))
}

/** Parses the zoom only; `x` and `y` are not validated. */
export function readZoom(path: TilePath): number {
  const z = integerIn(path.z)
  if (z >= 0 && z <= DEEPEST_ZOOM) return z
  throw badTile(path, '2^z - 1')
}

/** One message for all three, because the range of `x` and `y` depends on `z`. */
function badTile({ z, x, y }: TilePath, last: string): Problem {
  return problem('INVALID_PARAMETER', {
    parameter: 'z/x/y',
    value: `${z}/${x}/${y}`,
    reason: `must be integers: z from 0 to ${DEEPEST_ZOOM}, x and y from 0 to ${last}`,
  })
}

const integerIn = (text: string): number => (/^[+-]?[0-9]+$/.test(text) ? Number(text) + 0 : Number.NaN)

/** Returns the page of a request with the limit and the default of tiles instead of those of searches. */
export function pageWithin(
  request: FastifyRequest,
  operation: Operation,
  limit: SizeLimit,
  defaultSize: number,
): { readonly search: Search; readonly bounded: Operation } {
  const { page, ...rest } = readPage(request, limit)
  const search = { ...rest, page: { size: Math.min(defaultSize, limit.max), ...page } }
  return { search, bounded: { ...operation, limits: { ...operation.limits, size: limit.max } } }
}
