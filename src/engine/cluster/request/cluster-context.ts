import type { ClusterClient } from '../../../cluster-client/cluster-client.ts'
import type { Dialect } from './dialect.ts'

/** Settings of a new index; defaults of the cluster if absent. */
export interface NewIndex {
  readonly shards?: number
  readonly replicas?: number
  /** Maximum number of fields (`limits.fields`). */
  readonly mostFields?: number
}

/** Context shared by all parts of the engine. */
export interface ClusterContext {
  readonly client: ClusterClient
  readonly dialect: Dialect
  readonly limits: {
    /** Maximum number of documents read if the cluster lacks a primitive (`limits.scan`). */
    readonly scan: number
  }
  /** Settings of created indices (`cluster.shards`, `cluster.replicas`); defaults of the cluster if absent. */
  readonly newIndices?: NewIndex
}
