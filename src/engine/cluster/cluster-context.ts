import type { ClusterClient } from './cluster-client.ts'
import type { Dialect } from './dialect.ts'

/** What every part of the engine works with. */
export interface ClusterContext {
  readonly client: ClusterClient
  readonly dialect: Dialect
  readonly limits: {
    /** Documents read at most where the cluster lacks a primitive (`limits.scan`). */
    readonly scan: number
  }
}
