import type { WireObject } from '../../../cluster-client/cluster-client.ts'
import type { ClusterIndex } from '../../../storage/cluster-index.ts'
import type { NewDelivery } from '../../record/delivery-record.ts'
import { fromCluster } from '../shared/store-problem.ts'
import { documentId, newDocument } from './cluster-delivery-document.ts'
import { seen, waitingInIndex } from './cluster-waiting-deliveries.ts'

const BULK_BYTES = 5 * 1024 * 1024

/** Creates deliveries with unknown ids, in requests of a few megabytes, and notifies the sender of this process. */
export async function createDeliveries(index: ClusterIndex, deliveries: readonly NewDelivery[]): Promise<void> {
  const waiting = waitingInIndex(index)
  let made: ReturnType<typeof newDocument>[] = []
  let bytes = 0
  const flush = async (): Promise<void> => {
    const lines = made.flatMap((document): WireObject[] => [
      { create: { _id: documentId(document.id, document.channel) } },
      document,
    ])
    const { items } = await fromCluster(() => index.bulk(lines))
    for (const [i, { create }] of items.entries()) {
      // 409: the delivery exists already, which is fine.
      if (create?.error !== undefined && create.status !== 409) {
        throw new Error(`a delivery was not stored: ${create.error.type}`)
      }
      const document = made[i]
      if (create?.error !== undefined || document === undefined || document.next_attempt_at === null) continue
      const version = { seqNo: create?._seq_no ?? 0, primaryTerm: create?._primary_term ?? 0 }
      waiting?.pools[document.channel].put(seen(documentId(document.id, document.channel), document, version))
    }
    waiting?.listeners.tell()
    made = []
    bytes = 0
  }
  for (const delivery of deliveries) {
    made.push(newDocument(delivery))
    bytes += delivery.payload.length + 500
    if (bytes >= BULK_BYTES) await flush()
  }
  if (made.length > 0) await flush()
}
