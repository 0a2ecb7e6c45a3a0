import { type ClusterClient, ClusterRefusal, type WireObject } from '../../../cluster-client/cluster-client.ts'
import { problem } from '../../../errors.ts'

export interface DocumentAddress {
  readonly index: string
  readonly id: string
  readonly routing?: string
}

/** The current document and its version. */
export interface CurrentDocument {
  readonly source: WireObject
  readonly seqNo: number
  readonly primaryTerm: number
}

interface MultiGetAnswer {
  readonly docs: readonly {
    readonly found?: boolean
    readonly _source?: WireObject
    readonly _seq_no?: number
    readonly _primary_term?: number
    readonly error?: { readonly type: string; readonly reason: string }
  }[]
}

interface ReadOptions {
  /** If false, the sources are empty. */
  readonly sources?: boolean
  /** If true, documents of a missing index are treated as missing; else INDEX_NOT_FOUND is thrown. */
  readonly isIndexOptional?: boolean
}

/** Reads documents in real time, in the order of the addresses; undefined for missing ones. */
export async function readDocuments(
  client: ClusterClient,
  addresses: readonly DocumentAddress[],
  signal?: AbortSignal,
  { sources = true, isIndexOptional = false }: ReadOptions = {},
): Promise<readonly (CurrentDocument | undefined)[]> {
  if (addresses.length === 0) return []
  const docs = addresses.map(({ index, id, routing }) => ({
    _index: index,
    _id: id,
    ...(routing === undefined ? {} : { routing }),
  }))
  const answer = await client.send<MultiGetAnswer>({
    method: 'POST',
    path: '/_mget',
    body: { docs },
    repeatable: true,
    ...(sources ? {} : { query: { _source: false } }),
    ...(signal === undefined ? {} : { signal }),
  })
  return addresses.map(({ index }, i) => {
    const found = answer.docs[i]
    if (found?.error?.type === 'index_not_found_exception') {
      if (isIndexOptional) return undefined
      throw problem('INDEX_NOT_FOUND', { name: index })
    }
    if (found?.error !== undefined) throw new ClusterRefusal(503, found.error.type, found.error.reason)
    if (found?.found !== true) return undefined
    return { source: found._source ?? {}, seqNo: found._seq_no ?? -1, primaryTerm: found._primary_term ?? -1 }
  })
}
