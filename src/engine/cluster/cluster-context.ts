import type { ClusterClient } from './cluster-client.ts'
import type { Dialect } from './dialect.ts'
import type { NewIndex } from './mapping-writer.ts'

/** What every part of the engine works with. */
export interface ClusterContext {
  readonly client: ClusterClient
  readonly dialect: Dialect
  readonly limits: {
    /** Documents read at most where the cluster lacks a primitive (`limits.scan`). */
    readonly scan: number
  }
  /** Of indices made here (`cluster.shards`, `cluster.replicas`); the cluster's own choice where absent. */
  readonly newIndices?: NewIndex
}
