import { Problem, type ProblemDetails, problem } from '../errors.ts'
import { ClusterFailure, ClusterRefusal } from './cluster-client.ts'
import { isNodeLoss } from './refusal.ts'

/** Seconds. Retry-After values: soon after overload, later if an operator has to act. */
const SOON = '5'
const LATER = '30'

/**
 * Converts a cluster error to a problem for the client. Outages, overload and errors an operator has to fix become 503
 * or 504 with a hint; internal errors are returned unchanged. Never exposes messages or host names of the cluster.
 */
export function engineProblem(error: unknown): unknown {
  const found = error instanceof ClusterRefusal ? refusalProblem(error) : failureProblem(error)
  return found === undefined ? error : Object.assign(found, { cause: error })
}

/**
 * Returns why the cluster is unavailable, as a sentence for an operator. Undefined if the error does not indicate an
 * outage.
 */
export function unavailability(error: unknown): string | undefined {
  if (error instanceof Problem) return error.message
  const found = engineProblem(error)
  return found instanceof Problem && found.status >= 500 ? found.message : undefined
}

function failureProblem(error: unknown): Problem | undefined {
  if (!(error instanceof ClusterFailure)) return undefined
  switch (error.kind) {
    case 'unreachable':
      return unavailable(
        'No node of the cluster can be reached; check that it is running and that its URLs are correct',
        'cluster.urls',
      )
    case 'certificate':
      return unavailable(
        'The certificate of the cluster is not trusted, or the cluster does not use TLS',
        'cluster.caFile',
        LATER,
      )
    case 'unreadable':
      return unavailable('The server at this URL is not an Elasticsearch or OpenSearch cluster', 'cluster.urls', LATER)
    case 'timeout':
      return problem('ENGINE_TIMEOUT', { reason: 'The cluster took too long to respond (setting cluster.timeoutMs)' })
  }
}

function unavailable(reason: string, setting?: string, seconds = SOON): Problem {
  const sentence = setting === undefined ? reason : `${reason} (setting ${setting})`
  return problem('ENGINE_UNAVAILABLE', { reason: sentence }, { 'Retry-After': seconds })
}

function refusalProblem(refusal: ClusterRefusal): Problem | undefined {
  return requestProblem(refusal) ?? fieldProblem(refusal.reason) ?? operatorProblem(refusal)
}

/** Refusals caused by the request. */
function requestProblem({ type, reason, status }: ClusterRefusal): Problem | undefined {
  const mentions = (text: string): boolean => type === text || reason.includes(text)
  if (type === 'index_not_found_exception') return problem('INDEX_NOT_FOUND', missingIndex(reason))
  if (mentions('too_many_buckets_exception')) {
    const limit = 'must not produce more buckets than search.max_buckets of the cluster; request fewer'
    return problem('LIMIT_EXCEEDED', { parameter: 'agg', reason: limit, setting: 'limits.buckets' })
  }
  if (mentions('too_complex_to_determinize_exception') || TOO_COMPLEX.test(reason)) {
    return problem('INVALID_FILTER', { parameter: 'f', reason: 'has a like pattern that is too complex; simplify it' })
  }
  if (mentions('too_many_clauses') || mentions('too_many_nested_clauses')) {
    const limit = 'must not have more conditions than indices.query.bool.max_clause_count of the cluster'
    return problem('LIMIT_EXCEEDED', { parameter: 'f', reason: limit, setting: 'limits.expressions' })
  }
  if (reason.includes('index.max_result_window')) {
    const limit = 'plus size must not exceed index.max_result_window of the index; page with after instead'
    return problem('LIMIT_EXCEEDED', { parameter: 'from', reason: limit, setting: 'limits.window' })
  }
  if (status === 413) return problem('BODY_TOO_LARGE', { reason: 'is larger than the cluster accepts' })
  return undefined
}

const TOO_COMPLEX =
  /Determinizing automaton|input automaton is too large|length of regex .* exceeded the allowed maximum/

function missingIndex(reason: string): ProblemDetails {
  const name = /\[([^\]]+)\]/.exec(reason)?.[1]
  return name === undefined ? {} : { name }
}

/** Refusals caused by the mapping of an index that was created outside Periplus. */
function fieldProblem(reason: string): Problem | undefined {
  const unordered = /(?:fielddata on|fielddata=true on|Fielddata is disabled on) (?:field )?\[([^\]]+)\]/.exec(
    reason,
  )?.[1]
  if (unordered !== undefined) {
    return problem('NOT_IMPLEMENTED', { name: `sorting or grouping by ${unordered}, a field without doc values` })
  }
  const unsearchable = /Cannot search on field \[([^\]]+)\]/.exec(reason)?.[1]
  if (unsearchable !== undefined) {
    return problem('NOT_IMPLEMENTED', { name: `filtering by ${unsearchable}, a field that is not indexed` })
  }
  return undefined
}

/** Refusals not caused by the request: an operator has to act, or the condition passes with time. */
function operatorProblem(refusal: ClusterRefusal): Problem | undefined {
  const { type, status } = refusal
  if (type === 'cluster_block_exception') {
    return unavailable('The cluster has blocked the index or all writes, usually because its disks are full')
  }
  if (type === 'circuit_breaking_exception') {
    return unavailable(
      'The cluster does not have enough memory for this request; request less, or give its nodes more memory',
    )
  }
  if (type === 'index_closed_exception')
    return unavailable('The index is closed; open it in the cluster', undefined, LATER)
  if (status === 401) {
    return unavailable('The cluster rejects the credentials', 'cluster.username or cluster.apiKey', LATER)
  }
  if (status === 403) {
    return unavailable('The cluster user lacks a required privilege', 'cluster.username or cluster.apiKey', LATER)
  }
  if (status === 429 || OVERLOADED.test(type)) return unavailable('The cluster is overloaded; try again later')
  // search contexts of a scan are lost together with their node
  const isLost = isNodeLoss(refusal) || type === 'search_context_missing_exception'
  if (isLost || status === 408 || status === 502 || status === 503 || status === 504) {
    return unavailable('The cluster is unavailable: shards or its manager are missing; check its health')
  }
  return undefined
}

const OVERLOADED = /rejected_execution_exception$|^task_cancelled_exception$/
