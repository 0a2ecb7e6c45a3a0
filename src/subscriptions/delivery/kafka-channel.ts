import type { Channel } from './delivery-channel.ts'
import { nextBrokerWait } from './delivery-schedule.ts'
import type { KafkaOutput } from './kafka-output.ts'

/** Sends notifications unchanged to a topic (spec 4.7). Retries until the broker accepts them. */
export function kafkaChannel(output: KafkaOutput, onFault: (error: unknown) => void): Channel {
  return {
    name: 'kafka',
    hostOf: () => 'kafka',
    wait: nextBrokerWait,
    async send(delivery) {
      try {
        await output.send(delivery.subscriptionId, delivery.payload, { 'webhook-id': delivery.id })
        return {}
      } catch (error) {
        onFault(error)
        return { error: 'CONNECT' }
      }
    },
  }
}
