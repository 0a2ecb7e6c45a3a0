/** JSON as it goes to a cluster and comes back: integers beyond 2^53 are bigints, so that none loses digits. */
export type WireJson = null | boolean | number | bigint | string | readonly WireJson[] | WireObject
export interface WireObject {
  readonly [key: string]: WireJson
}

/** One request of the query language (`{"term": {...}}`). */
export type Query = WireObject

export interface ClusterCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD'
  /** Begins with `/`; names in it are percent-encoded. */
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | boolean>>
  /** An object is sent as JSON, a text as NDJSON. */
  readonly body?: WireObject | string
  /** May be sent again, to another node, when it is not known whether it arrived. GET, HEAD and searches are. */
  readonly repeatable?: boolean
  readonly signal?: AbortSignal
}

/**
 * Speaks with a cluster: connections, nodes, time limits, repetition, credentials. Rejects with a `ClusterRefusal` when
 * the cluster answers with an error, with a `ClusterFailure` when it does not answer, and with the signal's reason.
 */
export interface ClusterClient {
  /** `T` is what the caller knows this call to answer. */
  send<T>(call: ClusterCall): Promise<T>
  close(): Promise<void>
}

/** The cluster answered with an error. */
export class ClusterRefusal extends Error {
  readonly status: number
  /** `index_not_found_exception`, `too_many_buckets_exception` and the like; of the first cause when there are several. */
  readonly type: string
  readonly reason: string

  constructor(status: number, type: string, reason: string) {
    super(`the cluster answered ${status} ${type}: ${reason}`)
    this.name = 'ClusterRefusal'
    this.status = status
    this.type = type
    this.reason = reason
  }
}

/** No node answered: unreachable, too slow, or not what a cluster answers. */
export class ClusterFailure extends Error {
  readonly kind: 'unreachable' | 'timeout' | 'certificate' | 'unreadable'

  constructor(kind: ClusterFailure['kind'], message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'ClusterFailure'
    this.kind = kind
  }
}
