import type { FastifyRequest } from 'fastify'
import type { Operation } from '../../explore/operation.ts'
import type { Search } from '../../model/search.ts'
import { parseInteger } from '../parameters.ts'
import { readPage, type SizeLimit } from './explore-request.ts'

export interface NamedTile {
  Params: { readonly collection: string; readonly z: string; readonly x: string; readonly y: string }
}

const DEEPEST_ZOOM = 28

export const readZoom = ({ params }: FastifyRequest<NamedTile>): number =>
  parseInteger('z', params.z, { min: 0, max: DEEPEST_ZOOM })

export function readPlace(
  { params }: FastifyRequest<NamedTile>,
  z: number,
): { readonly x: number; readonly y: number } {
  const max = 2 ** z - 1
  return { x: parseInteger('x', params.x, { min: 0, max }), y: parseInteger('y', params.y, { min: 0, max }) }
}

/** The page of a request with limit and default of tiles in place of those of searches. */
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
