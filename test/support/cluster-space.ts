import { randomUUID } from 'node:crypto'
import type { Engine } from '../../src/engine/engine.ts'
import { inNameSpace } from './name-space.ts'

/** A part of the shared cluster for one server, isolated from what others create. */
export interface ClusterSpace {
  readonly settings: Readonly<Record<string, string>>
  readonly hooks: { readonly around: (engine: Engine) => Engine }
  /** Deletes everything created in it. */
  readonly remove: () => Promise<void>
}

/** Deliveries need it if secrets are stored in a cluster. */
const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64')

export function clusterSpace(clusterUrl: string): ClusterSpace {
  const prefix = `t-${randomUUID().slice(0, 8)}-`
  return {
    settings: {
      'engine.kind': 'cluster',
      'cluster.urls': clusterUrl,
      'cluster.referenceIndex': `${prefix}references`,
      'cluster.prefix': `${prefix}p-`,
      'cluster.shards': '1',
      'cluster.replicas': '0',
      'secrets.key': SECRETS_KEY,
    },
    hooks: { around: (engine) => inNameSpace(engine, `${prefix}i-`) },
    remove: () => removeIndices(clusterUrl, prefix),
  }
}

/** Clusters may reject patterns in requests that delete indices. */
async function removeIndices(clusterUrl: string, prefix: string): Promise<void> {
  const listed = await fetch(`${clusterUrl}/_cat/indices/${prefix}*?h=index&expand_wildcards=all`)
  const names = (await listed.text()).split('\n').filter((name) => name !== '')
  if (names.length > 0) await fetch(`${clusterUrl}/${names.join(',')}`, { method: 'DELETE' })
}
