import type { ClusterClient } from '../../../cluster-client/cluster-client.ts'
import type { Dialect } from './dialect.ts'

/** Of an index that is to be made; the cluster chooses what is absent. */
export interface NewIndex {
  readonly shards?: number
  readonly replicas?: number
  /** Fields it may have (`limits.fields`). */
  readonly mostFields?: number
}

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
