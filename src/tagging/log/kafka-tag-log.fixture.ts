import { randomUUID } from 'node:crypto'
import type { NewTagRecord, TagRecord } from '../../model/tag-record.ts'
import { openKafkaTagLog } from './kafka-tag-log.ts'
import type { TagLog } from './tag-log.ts'

/** Milliseconds. Long because test machines may be busy. */
const PATIENCE_MS = 15_000

/** An accepted request. */
export function newRecord(collection: string, members: Partial<NewTagRecord> = {}): NewTagRecord {
  return {
    id: randomUUID(),
    collection,
    action: 'ADD',
    creationTime: 1_794_736_800_000,
    request: { tag: { path: 'params.tags', value: 'seen' } },
    ...members,
  }
}

interface OpenLogs {
  readonly open: (
    topic: string,
    options?: Partial<Parameters<typeof openKafkaTagLog>[0]>,
  ) => TagLog & { readonly warnings: readonly string[] }
  readonly closeAll: () => Promise<void>
}

/** Logs of a broker that are closed together. */
export function openLogs(brokers: () => readonly string[]): OpenLogs {
  const logs: TagLog[] = []
  return {
    open: (topic, options = {}) => {
      const warnings: string[] = []
      const onWarning = (text: string): void => void warnings.push(text)
      const log = openKafkaTagLog({ brokers: brokers(), topic, patienceMs: PATIENCE_MS, onWarning, ...options })
      logs.push(log)
      return Object.assign(log, { warnings })
    },
    closeAll: async () => void (await Promise.all(logs.splice(0).map((log) => log.close()))),
  }
}

export async function allOf(records: AsyncIterable<TagRecord>): Promise<readonly TagRecord[]> {
  return Array.fromAsync(records)
}
