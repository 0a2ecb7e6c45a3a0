import { readFileSync } from 'node:fs'
import type { ClusterClient } from '../../cluster-client/cluster-client.ts'
import { type OutageLog, watchOutages } from '../../cluster-client/outage-watch.ts'
import { openTransportClient, type TlsOptions } from '../../cluster-client/transport-client.ts'
import { openClusterReferenceStore } from '../../collections/store/cluster-reference-store.ts'
import type { ReferenceStore } from '../../collections/store/reference-store.ts'
import type { ClusterSettings, Settings } from '../../config/settings.ts'
import { clusterEngine } from '../../engine/cluster/engine.ts'
import type { Engine } from '../../engine/engine.ts'
import type { StepObserver } from '../../engine/step-observer.ts'
import { openClusterTagLog } from '../../tagging/log/cluster-tag-log.ts'
import type { TagLog } from '../../tagging/log/tag-log.ts'
import { CliFault } from '../terminal/cli-fault.ts'
import { version } from '../terminal/version.ts'
import { clusterDemoMark, type DemoMark } from './demo-mark.ts'

export interface ClusterServices {
  /** Closing it also closes the connections of the store. */
  readonly engine: Engine
  readonly store: ReferenceStore
  /** Log of tags: in the cluster, or in Kafka if configured. */
  readonly log: TagLog
  /** Shared connections, for other data kept in the cluster. */
  readonly client: ClusterClient
  readonly demoMark: DemoMark
}

/**
 * Added to `limits.timeMs` for the timeout of cluster calls. Aborted requests cancel their calls directly, so the
 * timeout only covers calls of requests whose end is not noticed. Milliseconds.
 */
const GRACE_MS = 5_000

export interface ClusterHooks {
  readonly onFault: (error: unknown) => void
  /** Outages are reported to it. */
  readonly log?: OutageLog
  readonly steps?: StepObserver
}

/** Opens documents and references in a cluster. Connects lazily, so the cluster may be down at start-up. */
export async function openClusterServices(
  settings: Settings,
  { onFault, log: outages, steps }: ClusterHooks,
): Promise<ClusterServices> {
  const { cluster, limits } = settings
  const { urls, username, password, apiKey, connections, compress, shards, replicas, referenceIndex, referenceMs } =
    cluster
  const transport = openTransportClient({
    urls,
    connections,
    compress,
    tls: readTlsFiles(cluster),
    timeoutMs: Math.max(cluster.timeoutMs, limits.timeMs + GRACE_MS),
    userAgent: `periplus/${version}`,
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(apiKey === undefined ? {} : { apiKey }),
  })
  const client = outages === undefined ? transport : watchOutages(transport, outages)
  const engine = clusterEngine(client, {
    scan: limits.scan,
    mostFields: limits.fields,
    prefix: cluster.prefix,
    tagging: settings.tagging.cluster,
    ...(steps === undefined ? {} : { steps }),
    ...(shards === undefined ? {} : { shards }),
    ...(replicas === undefined ? {} : { replicas }),
  })
  const reported = new Set<string>()
  const store = openClusterReferenceStore({
    client,
    index: referenceIndex,
    keepMs: referenceMs,
    onUnreadable: (name, error) => {
      // report once; every list meets it again
      if (reported.has(name)) return
      reported.add(name)
      onFault(new Error(`The reference of collection ${name} in the cluster is invalid`, { cause: error }))
    },
  })
  const log = await openTagLog(settings, client, onFault)
  return { engine, store, log, client, demoMark: clusterDemoMark(client, referenceIndex) }
}

const DAY_MS = 86_400_000

async function openTagLog(
  { cluster, tagging }: Settings,
  client: ClusterClient,
  onFault: (error: unknown) => void,
): Promise<TagLog> {
  const { kind, retention } = tagging.log
  if (kind === 'kafka') {
    // Loaded lazily: the Kafka client takes a second and many megabytes to load.
    const { openKafkaTagLog } = await import('../../tagging/log/kafka-tag-log.ts')
    return openKafkaTagLog({
      ...tagging.kafka,
      ...(retention === 'forever' ? {} : { retentionMs: Number.parseInt(retention, 10) * DAY_MS }),
      onWarning: (message) => onFault(new Error(message)),
    })
  }
  return openClusterTagLog({
    client,
    prefix: cluster.prefix,
    activeShards: tagging.cluster.activeShards,
    onBadRecord: (offset) =>
      onFault(new Error(`The document at offset ${offset} of the tag log is not a valid record`)),
  })
}

function readTlsFiles({ caFile, certFile, keyFile }: ClusterSettings): TlsOptions {
  return {
    ...(caFile === undefined ? {} : { ca: readFile('caFile', caFile) }),
    ...(certFile === undefined ? {} : { cert: readFile('certFile', certFile) }),
    ...(keyFile === undefined ? {} : { key: readFile('keyFile', keyFile) }),
  }
}

function readFile(name: keyof ClusterSettings, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new CliFault(`The file ${file} cannot be read: check the path (setting cluster.${name}).`)
  }
}
