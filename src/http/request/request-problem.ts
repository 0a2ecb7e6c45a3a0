import type { FastifyError, FastifyRequest } from 'fastify'
import type { Limits } from '../../config/settings.ts'
import { Problem, problem } from '../../errors.ts'
import { ClientLeft, requestSignal } from './caller.ts'

/**
 * Maps an error thrown while serving a request to a coded problem: problems unchanged, Fastify errors translated,
 * anything else to INTERNAL_ERROR without details. Returns undefined if the client has left.
 */
export function requestProblem(error: unknown, request: FastifyRequest, limits: Limits): Problem | undefined {
  if (error instanceof Problem) return error
  if (error instanceof ClientLeft) return undefined
  const signal = requestSignal(request)
  if (signal.aborted) {
    // Engines throw other errors when aborted; the abort reason is the real cause.
    if (signal.reason instanceof ClientLeft) return undefined
    if (signal.reason instanceof Problem) return signal.reason
  }
  return frameworkProblem(error, request, limits) ?? problem('INTERNAL_ERROR', {})
}

function frameworkProblem(error: unknown, request: FastifyRequest, limits: Limits): Problem | undefined {
  switch (isFrameworkError(error) ? error.code : undefined) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return bodyTooLarge(request, limits)
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return problem('INVALID_BODY', { parameter: 'body', reason: 'must have the length given in Content-Length' })
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return problem('UNSUPPORTED_MEDIA_TYPE', {
        parameter: 'Content-Type',
        value: request.headers['content-type'],
        reason: 'must be a media type',
      })
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return badPath(request)
    default:
      return undefined
  }
}

export function bodyTooLarge(request: FastifyRequest, limits: Limits): Problem {
  const bytes = request.routeOptions.bodyLimit
  const setting = (['bulkBytes', 'bodyBytes', 'exploreBytes', 'loadBytes'] as const).find(
    (name) => limits[name] === bytes,
  )
  const reason = `must not be larger than ${bytes} bytes`
  // Some routes have a fixed limit without a setting.
  return problem('BODY_TOO_LARGE', { reason, ...(setting === undefined ? {} : { setting: `limits.${setting}` }) })
}

function badPath(request: FastifyRequest): Problem {
  return problem('INVALID_PARAMETER', {
    parameter: 'path',
    value: request.raw.url?.split('?', 1)[0],
    reason: 'must be percent-encoded UTF-8',
  })
}

function isFrameworkError(error: unknown): error is FastifyError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
}
