import type { ClusterContext } from '../request/cluster-context.ts'

interface IndexStatistics {
  readonly uuid?: string
  readonly primaries?: { readonly docs?: { readonly count?: number; readonly deleted?: number } }
}

interface StatisticsAnswer {
  readonly indices?: Readonly<Record<string, IndexStatistics>>
}

/**
 * Returns a text per index from its statistics: documents and deletions that searches see, so that it changes when a
 * write becomes visible. A merge changes it too.
 */
export async function readRevisions(
  { client }: ClusterContext,
  names: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  if (names.length === 0) return new Map()
  const { indices = {} } = await client.send<StatisticsAnswer>({
    method: 'GET',
    path: `/${names.map(encodeURIComponent).join(',')}/_stats/docs`,
    query: { ignore_unavailable: true },
    ...(signal === undefined ? {} : { signal }),
  })
  return new Map(
    Object.entries(indices).map(([name, { uuid = '', primaries }]) => {
      const { count = 0, deleted = 0 } = primaries?.docs ?? {}
      return [name, `${uuid}.${count}.${deleted}`]
    }),
  )
}
