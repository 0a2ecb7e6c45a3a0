import { ClusterRefusal } from '../../../cluster-client/cluster-client.ts'
import type { ClusterContext } from '../request/cluster-context.ts'

interface StoreAnswer {
  readonly indices?: Readonly<
    Record<string, { readonly total?: { readonly store?: { readonly size_in_bytes?: number } } }>
  >
}

/** Returns the bytes of indices with their replicas. Empty if the user of the cluster may not read its statistics. */
export async function readStoredBytes(
  { client }: ClusterContext,
  pattern: string,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  try {
    const { indices = {} } = await client.send<StoreAnswer>({
      method: 'GET',
      path: `/${encodeURIComponent(pattern)}/_stats/store`,
      ...(signal === undefined ? {} : { signal }),
    })
    return new Map(Object.entries(indices).map(([name, { total }]) => [name, total?.store?.size_in_bytes ?? 0]))
  } catch (error) {
    if (error instanceof ClusterRefusal) return new Map()
    throw error
  }
}
