import { ClusterConnectionPool, errors, Serializer, Transport, UndiciConnection } from '@elastic/transport'
import { type ClusterCall, type ClusterClient, ClusterFailure, ClusterRefusal, type WireObject } from './cluster-client.ts'
import { parseWire, printWire } from './wire-json.ts'

export interface TransportOptions {
  readonly urls: readonly string[]
}

/** A client over HTTP. */
export function openTransportClient({ urls }: TransportOptions): ClusterClient {
  const pool = new ClusterConnectionPool({ Connection: UndiciConnection })
  pool.addConnection(urls.map((url) => ({ url: new URL(url) })))
  const transport = new Transport({ connectionPool: pool, serializer: new WireSerializer() })
  return {
    send: async <T>(call: ClusterCall): Promise<T> => {
      const { method, path, query, body, signal } = call
      try {
        const options = signal === undefined ? {} : { signal }
        const payload = body === undefined ? {} : typeof body === 'string' ? { bulkBody: body } : { body }
        return (await transport.request({ method, path, ...(query ? { querystring: query } : {}), ...payload }, options)) as T
      } catch (error) {
        signal?.throwIfAborted()
        if (error instanceof errors.ResponseError) throw refusalOf(error)
        if (error instanceof errors.ElasticsearchClientError) throw new ClusterFailure('unreachable', error.message, error)
        throw error
      }
    },
    close: () => transport.connectionPool.empty(),
  }
}

class WireSerializer extends Serializer {
  override serialize(object: unknown): string {
    return printWire(object as WireObject)
  }

  override deserialize<T>(json: string): T {
    return parseWire(json) as T
  }
}

function refusalOf(error: errors.ResponseError): ClusterRefusal {
  const body = error.body as { error?: { type?: string; reason?: string } } | undefined
  return new ClusterRefusal(error.statusCode ?? 0, body?.error?.type ?? 'unknown', body?.error?.reason ?? error.message)
}
