import type { EngineHealth } from '../engine.ts'
import { type ClusterClient, ClusterFailure, ClusterRefusal } from './cluster-client.ts'

/** Whoever asks for the health must not wait. */
const PATIENCE_MS = 3_000

interface HealthAnswer {
  readonly cluster_name?: string
  readonly status?: string
  readonly number_of_nodes?: number
}

/** How a cluster is, in words for an operator; answers within a few seconds whatever the cluster does. */
export async function readHealth(client: ClusterClient): Promise<EngineHealth> {
  const signal = AbortSignal.timeout(PATIENCE_MS)
  try {
    const answer = await client.send<HealthAnswer>({
      method: 'GET',
      path: '/_cluster/health',
      query: { level: 'cluster', timeout: '2s' },
      signal,
    })
    const { cluster_name: name = 'without a name', status = 'unknown', number_of_nodes: nodes = 0 } = answer
    const cluster = `cluster ${name}, ${nodes} ${nodes === 1 ? 'node' : 'nodes'}`
    if (status === 'green' || status === 'yellow') return { ok: true, detail: `${cluster}, status ${status}` }
    return { ok: false, detail: `${cluster}, status ${status}: shards are missing, see _cluster/allocation/explain` }
  } catch (error) {
    if (signal.aborted) return { ok: false, detail: `the cluster did not answer within ${PATIENCE_MS} ms` }
    return { ok: false, detail: faultDetail(error) }
  }
}

/** A fault of the cluster in a clause: what is wrong and which setting has to do with it. */
export function faultDetail(error: unknown): string {
  if (error instanceof ClusterRefusal) return refusalDetail(error)
  if (!(error instanceof ClusterFailure)) throw error
  switch (error.kind) {
    case 'unreachable':
      return 'no node of the cluster can be reached; is it running, and is its address right (setting cluster.urls)?'
    case 'timeout':
      return 'the cluster did not answer in time'
    case 'certificate':
      return 'the certificate of the cluster is not trusted (setting cluster.caFile), or it does not speak TLS'
    case 'unreadable':
      return 'what answers is not a cluster (setting cluster.urls)'
  }
}

function refusalDetail({ status }: ClusterRefusal): string {
  if (status === 401) return 'the cluster refuses the credentials (settings cluster.username, cluster.apiKey)'
  if (status === 403) return 'the cluster does not allow its user to do this (setting cluster.username)'
  if (status === 429) return 'the cluster has too much to do'
  if (status === 408 || status >= 500) return 'the cluster cannot serve, as without a cluster manager'
  return `the cluster refuses, with status ${status}`
}
