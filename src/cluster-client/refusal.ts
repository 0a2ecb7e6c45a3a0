import { ClusterFailure, ClusterRefusal } from './cluster-client.ts'

/** The parts of a cluster error that are read. */
interface Cause {
  readonly type?: unknown
  readonly reason?: unknown
  readonly root_cause?: unknown
  readonly caused_by?: unknown
  readonly failed_shards?: unknown
}

/** Statuses that are meaningful even if a proxy responds instead of the cluster. */
const CLEAR = new Set([401, 403, 429, 502, 503, 504])

const DEEPEST = 10

/**
 * Errors a node returns if it loses another node during a request. The status is often 500; on retry the node does
 * without the lost one.
 */
const NODE_LOST = new Set([
  'connect_transport_exception',
  'no_node_connected_exception',
  'node_closed_exception',
  'node_disconnected_exception',
  'node_not_connected_exception',
  'receive_timeout_transport_exception',
  'send_request_transport_exception',
])

export const isNodeLoss = ({ type }: ClusterRefusal): boolean => NODE_LOST.has(type)

/**
 * Converts an error response to a refusal. It has the type of the first root cause and the reasons of all nested
 * causes, since the most specific reason is often the last.
 */
export function readRefusal(status: number, body: unknown): ClusterRefusal | ClusterFailure {
  const error = isObject(body) ? body.error : undefined
  if (typeof error === 'string') return new ClusterRefusal(status, 'unknown', error)
  if (isObject(error)) {
    const [first, ...others] = causesOf(error)
    const reasons = others.map(({ type, reason }) => `${type}: ${reason}`)
    return new ClusterRefusal(status, first?.type ?? 'unknown', [first?.reason ?? '', ...reasons].join('; '))
  }
  // HEAD, and `GET index/_doc/id` of a missing document, return a status without an error.
  if (isObject(body) || body === '' || body === undefined || typeof body === 'boolean' || CLEAR.has(status)) {
    return new ClusterRefusal(status, 'unknown', 'no reason given')
  }
  return new ClusterFailure('unreadable', `a response with status ${status} that is not JSON`)
}

function causesOf(error: Cause): readonly { readonly type: string; readonly reason: string }[] {
  const found = new Map<string, { type: string; reason: string }>()
  const visit = (value: unknown, depth: number): void => {
    if (!isObject(value) || depth > DEEPEST) return
    const { type, reason, caused_by } = value as Cause
    if (typeof type === 'string') {
      const cause = { type, reason: typeof reason === 'string' ? reason : '' }
      found.set(`${cause.type} ${cause.reason}`, cause)
    }
    visit(caused_by, depth + 1)
  }
  const firstOf = (list: unknown): unknown => (Array.isArray(list) ? list[0] : undefined)
  const shard = firstOf(error.failed_shards)
  visit(firstOf(error.root_cause), 0)
  visit(isObject(shard) ? shard.reason : undefined, 0)
  visit(error.caused_by, 0)
  visit(error, 0)
  return [...found.values()]
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
