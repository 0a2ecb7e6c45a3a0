import { Consumer, FetchIsolationLevels, IS_CONTROL, ListOffsetTimestamps } from '@platformatic/kafka'
import { closeClient, kafkaConnection } from '../../storage/kafka-connection.ts'

const PARTITION = 0

export interface StoredMessage {
  readonly offset: number
  readonly value: Uint8Array | null
}

export interface Fetched {
  readonly messages: readonly StoredMessage[]
  /** The offset of the next fetch. */
  readonly next: number
  /** The lowest retained offset, if the broker returned it. */
  readonly first?: number
}

export interface Place {
  readonly topic: string
  readonly topicId: string
  /** Broker id of the partition leader. */
  readonly node: number
}

/** Reads the only partition of a topic by offset, without a consumer group. Supports one call at a time. */
export class PartitionReader {
  readonly #consumer: Consumer
  readonly #place: Place

  constructor(brokers: readonly string[], place: Place) {
    this.#place = place
    // The client requires a group name, though no group is joined.
    this.#consumer = new Consumer({ ...kafkaConnection(brokers), groupId: 'periplus' })
    this.#consumer.topics.track(place.topic)
  }

  /** Returns the lowest retained offset and the offset of the next message. */
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

  /** Fetches messages from an offset on. Waits up to `waitMs` if none exists yet. */
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
        // The broker returns whole batches, which may begin before `from`.
        if (start + offsetDelta >= from) messages.push({ offset: start + offsetDelta, value })
      }
    }
    return { messages, next, first: Number(partition.logStartOffset) }
  }

  close(): Promise<void> {
    return closeClient(() => this.#consumer.close(true))
  }
}
