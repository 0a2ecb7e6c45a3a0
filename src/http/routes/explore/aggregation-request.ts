import type { FastifyRequest } from 'fastify'
import type { Limits } from '../../../config/settings.ts'
import { problem } from '../../../errors.ts'
import type { AggregationRequest } from '../../../explore/aggregate.ts'
import type { SuggestRequest } from '../../../explore/suggest.ts'
import type { Cell } from '../../../geo/grid/cell.ts'
import { AggregationsRequest, ComputationRequest } from '../../../model/aggregation.ts'
import { checkBody } from '../../../model/check-body.ts'
import type { Form } from '../../../model/search.ts'
import { readJsonBody } from '../../request/body/json-body.ts'
import { readParameters } from '../../request/parameters.ts'
import { type ExploreRequest, filterOf, readAnswerForm, withForm } from './explore-request.ts'

const DEFAULT_SUGGESTIONS = 10

type FormedAggregation = AggregationRequest & { form?: Form }

export function readAggregation(request: FastifyRequest): ExploreRequest<FormedAggregation> {
  const isPost = request.method === 'POST'
  return withForm<FormedAggregation>(
    request,
    isPost ? checkBody(AggregationsRequest, readJsonBody(request)) : aggregationOf(request),
  )
}

function aggregationOf(request: FastifyRequest): AggregationRequest {
  const parameters = readParameters(request)
  return { filter: filterOf(parameters), aggregations: parameters.all('agg') }
}

export function readComputation(request: FastifyRequest): ExploreRequest<ComputationRequest> {
  const isPost = request.method === 'POST'
  return withForm(request, isPost ? checkBody(ComputationRequest, readJsonBody(request)) : computationOf(request))
}

function computationOf(request: FastifyRequest): ComputationRequest {
  const parameters = readParameters(request)
  const field = parameters.text('field')
  const metric = parameters.text('metric')
  return {
    filter: filterOf(parameters),
    ...(field === undefined ? {} : { field }),
    ...(metric === undefined ? {} : { metric }),
  }
}

/** Reads a suggest request. Here `q` is plain text, not a filter, and no flat form exists (spec 5.10). */
export function readSuggest(request: FastifyRequest, limits: Limits): Omit<ExploreRequest<SuggestRequest>, 'flat'> {
  const parameters = readParameters(request)
  const limit = { max: limits.size, setting: 'limits.size' }
  const value = {
    filter: filterOf(parameters, []),
    field: parameters.text('field'),
    q: parameters.text('q'),
    size: parameters.integer('size', { min: 1, limit }) ?? Math.min(DEFAULT_SUGGESTIONS, limits.size),
    from: parameters.integer('from', { min: 0 }) ?? 0,
  }
  return { value, form: readAnswerForm(request) }
}

/** Splits comma-separated names of a path, without duplicates. */
export function readCollectionNames(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim())
  const named = [...new Set(names)].filter((name) => name !== '')
  return named.length === 0 ? [text] : named
}

/** Parses a geohash: 1 to 12 characters of its alphabet, case-insensitive. */
export function readGeohashCell(text: string): Cell {
  if (/^[0-9b-hjkmnp-z]{1,12}$/i.test(text)) return { kind: 'geohash', hash: text.toLowerCase() }
  const reason = 'must be 1 to 12 characters of 0123456789bcdefghjkmnpqrstuvwxyz'
  throw problem('INVALID_PARAMETER', { parameter: 'geohash', value: text, reason })
}
