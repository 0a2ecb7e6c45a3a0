/**
 * JSON sent to and received from a cluster. Integers beyond 2^53 are bigints, so that no digits are lost. Records that
 * are sent have type aliases: TypeScript does not take an interface for a `WireObject`.
 */
export type WireJson = null | boolean | number | bigint | string | readonly WireJson[] | WireObject
export interface WireObject {
  readonly [key: string]: WireJson
}

/** A clause of the query language (`{"term": {...}}`). */
export type Query = WireObject

export interface ClusterCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD'
  /** Starts with `/`; names in it are percent-encoded. */
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | boolean>>
  /** An object is sent as JSON, a string as NDJSON. */
  readonly body?: WireObject | string
  /**
   * True if the call may be retried on another node when it is unknown whether it arrived. Default for GET and HEAD.
   */
  readonly repeatable?: boolean
  readonly signal?: AbortSignal
}

/**
 * Client of a cluster: handles connections, nodes, timeouts, retries and credentials. Rejects with a `ClusterRefusal`
 * if the cluster returns an error, with a `ClusterFailure` if it does not respond, or with the reason of the signal.
 */
export interface ClusterClient {
  /** `T`: type of the response, asserted by the caller. */
  send<T>(call: ClusterCall): Promise<T>
  close(): Promise<void>
}

/** The cluster returned an error. */
export class ClusterRefusal extends Error {
  readonly status: number
  /**
   * `index_not_found_exception`, `too_many_buckets_exception` etc. The type of the first cause if there are several.
   */
  readonly type: string
  readonly reason: string

  constructor(status: number, type: string, reason: string) {
    super(`the cluster returned ${status} ${type}: ${reason}`)
    this.name = 'ClusterRefusal'
    this.status = status
    this.type = type
    this.reason = reason
  }
}

/** No usable response: no node is reachable, the call timed out, or the response is not one of a cluster. */
export class ClusterFailure extends Error {
  readonly kind: 'unreachable' | 'timeout' | 'certificate' | 'unreadable'

  constructor(kind: ClusterFailure['kind'], message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'ClusterFailure'
    this.kind = kind
  }
}
