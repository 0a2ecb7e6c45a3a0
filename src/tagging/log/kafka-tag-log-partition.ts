import { Consumer, FetchIsolationLevels, IS_CONTROL, ListOffsetTimestamps } from '@platformatic/kafka'
import { closeClient, kafkaConnection } from '../../storage/kafka-connection.ts'

const PARTITION = 0

export interface StoredMessage {
  readonly offset: number
  readonly value: Uint8Array | null
}

export interface Fetched {
  readonly messages: readonly StoredMessage[]
  /** The offset to go on with. */
  readonly next: number
  /** The lowest offset that is kept, when the broker told. */
  readonly first?: number
}

export interface Place {
  readonly topic: string
  readonly topicId: string
  /** Who leads the partition. */
  readonly node: number
}

/** Reads the only partition of a topic by offsets, without a consumer group. One call at a time. */
export class PartitionReader {
  readonly #consumer: Consumer
  readonly #place: Place

  constructor(brokers: readonly string[], place: Place) {
    this.#place = place
    // no group is joined; the client wants a name all the same
    this.#consumer = new Consumer({ ...kafkaConnection(brokers), groupId: 'periplus' })
    this.#consumer.topics.track(place.topic)
  }

  /** The lowest offset that is kept, and the one the next message gets. */
  async ends(): Promise<{ readonly first: number; readonly end: number }> {
    const ask = async (timestamp: bigint): Promise<number> => {
      const { topic } = this.#place
      const offsets = await this.#consumer.listOffsets({
        topics: [topic],
        timestamp,
        isolationLevel: FetchIsolationLevels.READ_UNCOMMITTED,
      })
      return Number(offsets.get(topic)?.[PARTITION] ?? 0n)
    }
    return { first: await ask(ListOffsetTimestamps.EARLIEST), end: await ask(ListOffsetTimestamps.LATEST) }
  }

  /** Some messages from an offset on; waits a while for the first one when there is none. */
  async fetch(from: number, { waitMs, bytes }: { waitMs: number; bytes: number }): Promise<Fetched> {
    const { topicId, node } = this.#place
    const { responses } = await this.#consumer.fetch({
      node,
      topics: [
        {
          topicId,
          partitions: [
            {
              partition: PARTITION,
              fetchOffset: BigInt(from),
              partitionMaxBytes: bytes,
              currentLeaderEpoch: -1,
              lastFetchedEpoch: -1,
            },
          ],
        },
      ],
      minBytes: 1,
      maxBytes: bytes,
      maxWaitTime: waitMs,
      isolationLevel: FetchIsolationLevels.READ_UNCOMMITTED,
    })
    const partition = responses.find((one) => one.topicId === topicId)?.partitions[0]
    if (partition === undefined) return { messages: [], next: from }
    const messages: StoredMessage[] = []
    let next = from
    for (const batch of partition.records ?? []) {
      const start = Number(batch.firstOffset)
      next = Math.max(next, start + batch.lastOffsetDelta + 1)
      if ((batch.attributes & IS_CONTROL) !== 0) continue
      for (const { offsetDelta, value } of batch.records) {
        // a batch is sent as it was stored, also what of it lies before
        if (start + offsetDelta >= from) messages.push({ offset: start + offsetDelta, value })
      }
    }
    return { messages, next, first: Number(partition.logStartOffset) }
  }

  close(): Promise<void> {
    return closeClient(() => this.#consumer.close(true))
  }
}
