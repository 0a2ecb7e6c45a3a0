import type { KafkaSender } from '../../storage/kafka-sender.ts'

const PATIENCE_MS = 10_000

export interface KafkaOutputOptions {
  readonly brokers: readonly string[]
  readonly topic: string
  /** How long a message may wait for its acknowledgement. */
  readonly patienceMs?: number
}

/** A topic that notifications are sent to. */
export interface KafkaOutput {
  /** Resolves when all copies have the message; else rejects within seconds. Messages of one key keep their order. */
  send(key: string, value: string | Uint8Array, headers: Readonly<Record<string, string>>): Promise<void>
  close(): Promise<void>
}

/** Connects with the first message. The topic is made by brokers that make topics when they are used. */
export function openKafkaOutput({ patienceMs = PATIENCE_MS, ...options }: KafkaOutputOptions): KafkaOutput {
  let sender: Promise<KafkaSender> | undefined
  const open = async (): Promise<KafkaSender> => {
    // The client takes a second and many megabytes to load.
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
