import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem, problem } from '../../../errors.ts'
import type { Operation } from '../../../explore/operation.ts'
import { preferredType } from '../../request/accept.ts'
import { readParameters } from '../../request/parameters.ts'
import { varyByAccept } from '../../request/response-format.ts'
import type { Services } from '../../services.ts'
import { beginOperation } from '../begin-operation.ts'

/** Opens the collection of a request. One that the caller may not see does not exist. */
export async function beginInterop(services: Services, request: FastifyRequest, name: string): Promise<Operation> {
  try {
    return await beginOperation(services, request, name)
  } catch (error) {
    const isHidden =
      error instanceof Problem && (error.code === 'COLLECTION_NOT_AVAILABLE' || error.code === 'INDEX_NOT_FOUND')
    throw isHidden ? problem('COLLECTION_NOT_FOUND', { name }) : error
  }
}

/** Parameters that every route accepts. */
const COMMON = ['f', 'pretty']

/** Throws for a parameter that the route does not know, and for a wrong value of one that not every route reads. */
export function checkKnownParameters(request: FastifyRequest, known: readonly string[]): void {
  readParameters(request).boolean('pretty')
  const names = new Set([...COMMON, ...known].map((name) => name.toLowerCase()))
  const unknown = readParameters(request)
    .names()
    .find((name) => !names.has(name))
  if (unknown !== undefined) {
    throw problem('INVALID_PARAMETER', { parameter: unknown, reason: 'is not a parameter of this resource' })
  }
}

interface Format {
  /** Value of the parameter `f`. */
  readonly name: string
  readonly type: string
}

/** Chooses the format of an answer: the parameter `f`, else the Accept header. The first format is the default. */
export function chooseInteropFormat<F extends Format>(
  request: FastifyRequest,
  reply: FastifyReply,
  offered: readonly [F, ...F[]],
): F {
  varyByAccept(reply)
  const asked = readParameters(request).text('f')
  if (asked !== undefined) {
    const found = offered.find(({ name }) => name === asked.toLowerCase())
    if (found !== undefined) return found
    const reason = `must be one of ${offered.map(({ name }) => name).join(', ')}`
    throw problem('INVALID_PARAMETER', { parameter: 'f', value: asked, reason })
  }
  const { accept } = request.headers
  const type = preferredType(accept, [...offered.map((format) => format.type), 'application/json'])
  if (type === 'application/json') return offered[0]
  const found = offered.find((format) => format.type === type)
  if (found !== undefined) return found
  const reason = `must accept one of ${offered.map((format) => format.type).join(', ')}`
  throw problem('NOT_ACCEPTABLE', { parameter: 'Accept', value: accept, reason })
}
