import type { KafkaSender } from '../../storage/kafka-sender.ts'

const PATIENCE_MS = 10_000

export interface KafkaOutputOptions {
  readonly brokers: readonly string[]
  readonly topic: string
  /** Milliseconds a message may wait for its acknowledgement. */
  readonly patienceMs?: number
}

/** A topic for notifications. */
export interface KafkaOutput {
  /**
   * Resolves when all replicas have the message, else rejects within seconds. Keeps the order of messages with the same
   * key.
   */
  send(key: string, value: string | Uint8Array, headers: Readonly<Record<string, string>>): Promise<void>
  close(): Promise<void>
}

/** Connects with the first message. The topic is created by brokers with automatic topic creation. */
export function openKafkaOutput({ patienceMs = PATIENCE_MS, ...options }: KafkaOutputOptions): KafkaOutput {
  let sender: Promise<KafkaSender> | undefined
  const open = async (): Promise<KafkaSender> => {
    // Imported on demand: the client takes a second and many megabytes to load.
    const kafka = await import('../../storage/kafka-sender.ts')
    return new kafka.KafkaSender({ ...options, patienceMs, mayMakeTopic: true })
  }
  return {
    send: async (key, value, headers) => {
      sender ??= open()
      await (await sender).send({ key, value, headers })
    },
    close: async () => (await sender)?.close(),
  }
}
