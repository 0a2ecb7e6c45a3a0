import { randomUUID } from 'node:crypto'
import path from 'node:path'
import type { Settings } from '../../config/settings.ts'
import { GrowingFile } from '../../ingest/follow/growing-file.ts'
import type { GrowingInput } from '../../ingest/follow/growing-input.ts'
import { GrowingPipe } from '../../ingest/follow/growing-pipe.ts'
import { GrowingUrl } from '../../ingest/follow/growing-url.ts'
import type { InputPlace } from '../../ingest/follow/input-place.ts'
import { InputFault } from '../../ingest/source/input-fault.ts'
import { titleOf } from '../../ingest/source/open-sources.ts'
import { partFetcher } from './download-source.ts'

/** Time between two looks at a file, and two requests to a URL, in milliseconds. */
const FILE_INTERVAL_MS = 200
const URL_INTERVAL_MS = 10_000

/** What `--follow` names. */
export interface FollowedSource {
  /** As given. */
  readonly name: string
  /** Full path of a file, the URL or the topic: a position is valid for it only. */
  readonly key: string
  /** Beginning of the names of the files that are kept for it. */
  readonly base: string
  /** Name for the index. */
  readonly title: string
  /** True if reading can go on after a restart. */
  readonly hasPlace: boolean
  /** The only format, if there is no choice. */
  readonly format?: 'ndjson'
  open(options: OpenOptions): Promise<GrowingInput>
}

interface OpenOptions {
  readonly from: InputPlace | undefined
  readonly intervalMs: number | undefined
  readonly say: (text: string) => void
}

export function followedSource(name: string, settings: Settings): FollowedSource {
  if (name === '-') {
    const open = async (): Promise<GrowingInput> => new GrowingPipe(process.stdin)
    return { name, key: name, base: 'stdin', title: 'documents', hasPlace: false, open }
  }
  if (/^kafka:/i.test(name)) return followedTopic(name, settings)
  const title = titleOf(name)
  const url = /^https?:/i.test(name) ? URL.parse(name) : null
  if (url !== null) return followedUrl(name, url, title, settings)
  const file = path.resolve(name)
  return {
    name,
    key: file,
    base: path.basename(name),
    title,
    hasPlace: true,
    open: async ({ from, intervalMs = FILE_INTERVAL_MS, say }) =>
      GrowingFile.open(file, { from: from !== undefined && 'inode' in from ? from : undefined, intervalMs, say }),
  }
}

function followedUrl(name: string, url: URL, title: string, settings: Settings): FollowedSource {
  const fetchPart = partFetcher(settings)
  return {
    name,
    key: name,
    base: path.basename(url.pathname) || url.hostname,
    title,
    hasPlace: true,
    open: async ({ from, intervalMs = URL_INTERVAL_MS, say }) =>
      new GrowingUrl(name, {
        from: from !== undefined && 'before' in from ? from : undefined,
        intervalMs,
        fetchPart,
        say,
      }),
  }
}

/** `kafka:TOPIC` with the configured brokers, or `kafka://HOST:PORT,HOST:PORT/TOPIC`. */
function followedTopic(name: string, { events, tagging, delivery }: Settings): FollowedSource {
  const [, stated, topic = ''] = /^kafka:(?:\/\/([^/]+)\/)?(.*)$/is.exec(name) ?? []
  if (!/^[\w.-]{1,249}$/.test(topic) || /^\.+$/.test(topic)) {
    throw new InputFault(`${name} names no Kafka topic: use kafka:TOPIC or kafka://HOST:PORT/TOPIC.`)
  }
  const configured = [events.kafka.brokers, tagging.kafka.brokers, delivery.kafka.brokers]
  const brokers = stated?.split(',') ?? configured.find((some) => some.length > 0) ?? []
  if (brokers.length === 0 || !brokers.every((broker) => /^[^\s:@]+:\d{1,5}$/.test(broker))) {
    const reason = stated === undefined ? 'no Kafka brokers are configured' : 'each broker must be HOST:PORT'
    throw new InputFault(`${name} cannot be read: ${reason}. Use kafka://HOST:PORT,HOST:PORT/TOPIC.`)
  }
  return {
    name,
    key: `kafka:${topic}`,
    base: topic,
    title: titleOf(topic.replaceAll('.', '-')),
    hasPlace: true,
    format: 'ndjson',
    open: async ({ from, say }) => {
      // Imported on demand: the client takes a second and many megabytes to load.
      const { GrowingTopic } = await import('../../ingest/follow/growing-topic.ts')
      const group = from !== undefined && 'group' in from ? from.group : `periplus-load-${topic}-${randomUUID()}`
      return GrowingTopic.open({ brokers, topic, group, creates: false, say })
    },
  }
}
