import path from 'node:path'
import { inspect } from 'node:util'
import { createCollections } from '../../collections/collections.ts'
import type { ReferenceStore } from '../../collections/store/reference-store.ts'
import { sqliteReferenceStore } from '../../collections/store/sqlite-reference-store.ts'
import { watchReferences } from '../../collections/store/watched-reference-store.ts'
import { hideCredentials } from '../../config/hidden-secret.ts'
import type { Settings } from '../../config/settings.ts'
import { cachedEngine } from '../../engine/cached-engine.ts'
import { lockHolder } from '../../engine/duckdb/database/engine-fault.ts'
import { UnreadableStorage } from '../../engine/duckdb/files/source-directory.ts'
import { type DuckdbEngineOptions, openDuckdbEngine } from '../../engine/duckdb/open-engine.ts'
import type { Engine, OpenedFiles, RowReader } from '../../engine/engine.ts'
import type { StepObserver } from '../../engine/step-observer.ts'
import { LiveFeeds } from '../../explore/live/live-feeds.ts'
import type { Services } from '../../http/services.ts'
import { createLoads } from '../../loading/loads.ts'
import { Lease } from '../../storage/lease.ts'
import { makePrivateDirectory } from '../../storage/private-files.ts'
import { SqliteFile } from '../../storage/sqlite-file.ts'
import { createNotifications, type NotificationsOptions } from '../../subscriptions/create-notifications.ts'
import type { DeliveryLog } from '../../subscriptions/delivery/create-delivery.ts'
import {
  clusterNotificationStores,
  type NotificationStores,
  sqliteNotificationStores,
} from '../../subscriptions/stores/notification-stores.ts'
import { createTagging } from '../../tagging/create-tagging.ts'
import { sqliteTagLog } from '../../tagging/log/sqlite-tag-log.ts'
import type { TagLog } from '../../tagging/log/tag-log.ts'
import { CliFault } from '../terminal/cli-fault.ts'
import { ownCommand, version } from '../terminal/version.ts'
import { type DemoMark, fileDemoMark } from './demo-mark.ts'

const METADATA_FILE = 'periplus.sqlite'

export interface LocalServices extends Services {
  readonly demoMark: DemoMark
}

/** Optional hooks of a process into its services. */
export interface LocalHooks {
  /** Notified of errors in background work; printed by default. */
  readonly onBackgroundFault?: (error: unknown) => void
  /** Receives what an operator should know, such as an index whose storage was converted; printed by default. */
  readonly onNotice?: (text: string) => void
  /** Wraps the cluster engine. */
  readonly around?: (cluster: Engine) => Engine
  /** Notified of the steps of tagging. */
  readonly steps?: StepObserver
  /** Log of matching and delivery; printed by default. */
  readonly log?: DeliveryLog
}

/** Opens the services of the server and the commands: the data directory or the cluster of the settings. */
export async function openLocalServices(settings: Settings, hooks: LocalHooks = {}): Promise<LocalServices> {
  if (settings.engine.kind === 'embedded') return openDirectory(settings, hooks)
  const { onBackgroundFault = console.error, around = (cluster) => cluster, log, steps } = hooks
  // Loaded lazily: the cluster client takes a while to load.
  const { openClusterServices } = await import('./cluster-services.ts')
  const { demoMark, client, ...opened } = await openClusterServices(settings, {
    onFault: onBackgroundFault,
    ...(log === undefined ? {} : { log }),
    ...(steps === undefined ? {} : { steps }),
  })
  const { prefix } = settings.cluster
  const isShared = settings.subscriptions.store !== 'sqlite'
  const lease = new Lease({ client, prefix, name: 'matching', leaseMs: settings.tagging.cluster.leaseSeconds * 1000 })
  const file = isShared ? undefined : openOwnDirectory(settings, hooks)
  const store = watchReferences(opened.store)
  const parts: Parts = {
    ...opened,
    engine: around(opened.engine),
    store: { ...store, close: () => store.close().finally(() => file?.close()) },
    stores: file === undefined ? clusterNotificationStores(client, settings) : sqliteNotificationStores(file, settings),
    ...(isShared ? { lead: (signal) => lease.acquire(signal) } : {}),
  }
  return { ...join(settings, parts, hooks), demoMark }
}

function openOwnDirectory(settings: Settings, hooks: LocalHooks): SqliteFile {
  prepareDirectory(settings.data.directory, hooks)
  return openFile(settings)
}

function prepareDirectory(directory: string, { log }: LocalHooks): void {
  const warning = makePrivateDirectory(path.resolve(directory))
  if (warning !== undefined) log?.warn({}, warning)
}

const openFile = ({ data }: Settings): SqliteFile =>
  SqliteFile.open(path.join(path.resolve(data.directory), METADATA_FILE))

async function openDirectory(settings: Settings, hooks: LocalHooks): Promise<LocalServices> {
  const directory = path.resolve(settings.data.directory)
  const { memoryMiB, threads, concurrency } = settings.engine
  const { onBackgroundFault = console.error, onNotice = console.error, steps } = hooks
  const onConverted = (index: string): void =>
    onNotice(`The storage of index ${index} was converted to the format of this version.`)
  const options = {
    ...{ directory, memoryMiB, threads, concurrency, tagging: settings.tagging },
    ...{ onBackgroundFault, onConverted, onNotice },
    mostFields: settings.limits.fields,
    openRows,
    ...(steps === undefined ? {} : { steps }),
  }
  const engine = await openPrivate(options, hooks).catch((error: unknown) => {
    throw openingFault(directory, error)
  })
  try {
    const file = openFile(settings)
    const store = watchReferences(sqliteReferenceStore(file))
    const parts = { engine, store, log: sqliteTagLog(file), stores: sqliteNotificationStores(file, settings) }
    return { ...join(settings, parts, hooks), demoMark: fileDemoMark(directory) }
  } catch (error) {
    await engine.close()
    throw openingFault(directory, error)
  }
}

/** The reader of files is loaded when the first documents are read. */
function openRows(opened: OpenedFiles): RowReader {
  let reader: Promise<RowReader> | undefined
  return {
    read: async (rows) => {
      reader ??= import('../../ingest/open/opened-rows.ts').then((module) => module.openRows(opened))
      return (await reader).read(rows)
    },
  }
}

async function openPrivate(options: DuckdbEngineOptions, hooks: LocalHooks): Promise<Engine> {
  prepareDirectory(options.directory, hooks)
  return openDuckdbEngine(options)
}

interface Parts {
  readonly engine: Engine
  readonly store: ReferenceStore
  readonly log?: TagLog
  readonly stores?: NotificationStores
  readonly lead?: NotificationsOptions['lead']
}

function join(settings: Settings, parts: Parts, hooks: LocalHooks): Services {
  const { store } = parts
  // No cache for a cluster: it does not notify of changed indices, and checking for changes would cost a call per
  // request.
  const isKept = settings.cache.enabled && settings.engine.kind === 'embedded'
  const engine = isKept ? cachedEngine(parts.engine, settings.cache) : parts.engine
  const now = Date.now
  const { prefix, referenceIndex } = settings.cluster
  const own = settings.engine.kind === 'embedded' ? {} : { ownIndices: [`${prefix}*`, referenceIndex] }
  const collections = createCollections({ store, engine, settings, now, ...own })
  const services = { settings, engine, store, collections, now, version, command: ownCommand }
  const { onBackgroundFault: onFault = console.error } = hooks
  const loads = createLoads({ settings, engine, collections, onFault })
  const live = new LiveFeeds({ engine, limits: settings.limits, now, onFault })
  return { ...services, loads, live, ...taggingOf(services, parts, hooks), ...notificationsOf(services, parts, hooks) }
}

function taggingOf(services: Services, { log }: Parts, hooks: LocalHooks): Pick<Services, 'tagging'> {
  const { engine, store, settings, now } = services
  if (engine.tags === undefined || log === undefined) return {}
  const { onBackgroundFault: onFault = console.error, steps } = hooks
  const options = { log, store: engine.tags, engine, references: store, settings, now, onFault }
  return { tagging: createTagging({ ...options, ...(steps === undefined ? {} : { steps }) }) }
}

function notificationsOf(services: Services, parts: Parts, hooks: LocalHooks): Pick<Services, 'notifications'> {
  const { engine, store, settings, now } = services
  const { stores, lead } = parts
  if (stores === undefined) return {}
  const { log = settings.log.level === 'silent' ? silentLog : printedLog } = hooks
  const options = { settings, version, engine, references: store, stores, log, now }
  return { notifications: createNotifications({ ...options, ...(lead === undefined ? {} : { lead }) }) }
}

const silentLog: DeliveryLog = { warn: () => undefined, error: () => undefined }

/** Log of a process without a logger. */
export const printedLog: DeliveryLog = {
  warn: (details, message) => console.warn(printed(details, message)),
  error: (details, message) => console.error(printed(details, message)),
}

function printed(details: object, message: string): string {
  return hideCredentials(Object.keys(details).length === 0 ? message : `${message} ${inspect(details)}`)
}

export async function closeLocalServices(services: Services): Promise<void> {
  await services.tagging?.stop()
  await services.notifications?.stop()
  await services.engine.close()
  await services.store.close()
}

function openingFault(directory: string, error: unknown): Error {
  const text = error instanceof Error ? error.message : String(error)
  const holder = lockHolder(error)
  if (holder !== undefined) {
    return new CliFault(
      `The data directory ${directory} is in use by ${holder}: stop it, or choose another directory with --data.`,
    )
  }
  if (error instanceof UnreadableStorage) return new CliFault(text)
  if (/EACCES|EROFS|permission denied|EPERM/i.test(text)) {
    return new CliFault(
      `The data directory ${directory} is not writable: change its owner, or choose another directory with --data.`,
    )
  }
  if (/ENOTDIR|EEXIST/.test(text)) {
    return new CliFault(`The data directory ${directory} is not a directory: choose another path with --data.`)
  }
  return error instanceof Error ? error : new Error(text)
}
