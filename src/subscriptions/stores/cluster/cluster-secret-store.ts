import type { ClusterClient } from '../../../cluster-client/cluster-client.ts'
import { ClusterIndex } from '../../../storage/cluster-index.ts'
import type { SecretStore, SubscriptionSecret } from '../../record/secret-store.ts'
import { JoinedCalls } from '../shared/joined-calls.ts'
import type { SecretCipher } from '../shared/secret-cipher.ts'
import { fromCluster } from '../shared/store-problem.ts'
import { parseSecret } from '../shared/stored-secret.ts'

/** Secrets read per request. */
const MOST_AT_ONCE = 500

/**
 * Encrypted secrets in an index. Without a key, secrets stay in memory and never reach the cluster, and nothing is
 * delivered (spec 4.4).
 */
export function clusterSecretStore(client: ClusterClient, prefix: string, cipher: SecretCipher): SecretStore {
  if (!cipher.isKeyed) return memorySecretStore()
  const index = new ClusterIndex({ client, name: `${prefix}secrets`, properties: {} })
  // Joins the reads of attempts that start together.
  const reads = new JoinedCalls<string, string | undefined>(async (ids) => {
    const records = await index.getAll<{ readonly content: string }>(ids)
    return records.map((record) => record?.source.content)
  }, MOST_AT_ONCE)
  return {
    get: (subscriptionId) =>
      fromCluster(async () => {
        const content = await reads.call(subscriptionId)
        return content === undefined ? undefined : parseSecret(subscriptionId, cipher.open(subscriptionId, content))
      }),
    put: (subscriptionId, secret) =>
      fromCluster(async () => {
        await index.put(subscriptionId, { content: cipher.seal(subscriptionId, JSON.stringify(secret)) })
      }),
    close: async () => undefined,
  }
}

function memorySecretStore(): SecretStore {
  const secrets = new Map<string, SubscriptionSecret>()
  return {
    get: async (subscriptionId) => secrets.get(subscriptionId),
    put: async (subscriptionId, secret) => {
      secrets.set(subscriptionId, secret)
    },
    close: async () => undefined,
  }
}
