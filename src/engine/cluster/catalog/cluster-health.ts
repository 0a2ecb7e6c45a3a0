import type { ClusterClient } from '../../../cluster-client/cluster-client.ts'
import { unavailability } from '../../../cluster-client/cluster-problem.ts'
import type { EngineHealth } from '../../engine.ts'
import type { Dialect } from '../request/dialect.ts'

/** Health requests must return quickly. */
const PATIENCE_MS = 3_000

interface HealthAnswer {
  readonly cluster_name?: string
  readonly status?: string
  readonly number_of_nodes?: number
}

/**
 * Returns the health of a cluster as a text for an operator, within a few seconds. Calls `dialect` first: a cluster
 * that cannot be used is not healthy.
 */
export async function readHealth(
  client: ClusterClient,
  dialect: (signal: AbortSignal) => Promise<Dialect>,
): Promise<EngineHealth> {
  const signal = AbortSignal.timeout(PATIENCE_MS)
  try {
    const { label } = await dialect(signal)
    const answer = await client.send<HealthAnswer>({
      method: 'GET',
      path: '/_cluster/health',
      query: { level: 'cluster' },
      signal,
    })
    return describe(label, answer)
  } catch (error) {
    if (signal.aborted) return { ok: false, detail: `The cluster did not respond within ${PATIENCE_MS / 1000} seconds` }
    const detail = unavailability(error)
    if (detail === undefined) throw error
    return { ok: false, detail }
  }
}

function describe(label: string, answer: HealthAnswer): EngineHealth {
  const { cluster_name: name = '', status = 'unknown', number_of_nodes: nodes = 0 } = answer
  const detail = `${label}, cluster ${name}, ${nodes} ${nodes === 1 ? 'node' : 'nodes'}, status ${status}`
  if (status === 'green' || status === 'yellow') return { ok: true, detail }
  return {
    ok: false,
    detail: `${detail}: primary shards are missing; see GET _cluster/allocation/explain of the cluster`,
  }
}
