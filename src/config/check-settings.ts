import { milliseconds } from './duration.ts'
import { SettingsFault } from './setting-value.ts'
import type { Settings } from './settings.ts'

/** Rules that involve several settings. */
export function checkAuthSettings({ auth, server }: Settings): void {
  const { modes, jwt } = auth
  const alone = modes.find((mode) => mode === 'none' || mode === 'header')
  if (alone !== undefined && modes.some((mode) => mode !== alone)) {
    throw new SettingsFault(`auth.modes must not combine ${alone} with others, got '${modes.join(',')}'`)
  }
  if (modes.includes('header') && server.trustedProxies.length === 0) {
    throw new SettingsFault('auth.modes header requires server.trustedProxies: only these addresses are trusted')
  }
  if (modes.includes('jwt') && (jwt.issuer === undefined || jwt.audience === undefined)) {
    throw new SettingsFault('auth.modes jwt requires auth.jwt.issuer and auth.jwt.audience')
  }
  if (modes.includes('jwt') && jwt.jwksUri === undefined && !URL.canParse(jwt.issuer ?? '')) {
    throw new SettingsFault('auth.jwt.jwksUri is required if auth.jwt.issuer is not a URL')
  }
}

/** Rules that involve several settings. */
export function checkTlsSettings({ tls }: Settings): void {
  if ((tls.cert === undefined) !== (tls.key === undefined)) {
    throw new SettingsFault('tls.cert and tls.key must be set together')
  }
  if (tls.passphrase !== undefined && tls.key === undefined) throw new SettingsFault('tls.passphrase requires tls.key')
}

/** Rules that the schema cannot express. */
export function checkClusterSettings({ cluster }: Settings): void {
  const broken = cluster.urls.findIndex((url) => !isReadable(url))
  if (broken >= 0) throw new SettingsFault(`cluster.urls must be URLs; item ${broken + 1} is not`)
  if (cluster.password !== undefined && cluster.username === undefined) {
    throw new SettingsFault('cluster.password requires cluster.username')
  }
  if (cluster.apiKey !== undefined && cluster.username !== undefined) {
    throw new SettingsFault('cluster.apiKey and cluster.username must not be set together')
  }
  if ((cluster.certFile === undefined) !== (cluster.keyFile === undefined)) {
    throw new SettingsFault('cluster.certFile and cluster.keyFile must be set together')
  }
}

/** Also checks the percent-encoding, because credentials are decoded. */
function isReadable(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { username, password } = new URL(url)
  return [username, password].every((part) => /^(?:[^%]|%[0-9A-Fa-f]{2})*$/.test(part))
}

/** Rules that involve several settings. */
export function checkSubscriptionSettings({ subscriptions, delivery, engine }: Settings): void {
  if (engine.kind === 'embedded' && subscriptions.store === 'index') {
    throw new SettingsFault('subscriptions.store index requires engine.kind cluster')
  }
  if (delivery.mode !== 'webhook' && delivery.kafka.brokers.length === 0) {
    throw new SettingsFault(`delivery.mode ${delivery.mode} requires delivery.kafka.brokers`)
  }
  if (milliseconds(delivery.claim) <= milliseconds(delivery.timeout)) {
    throw new SettingsFault('delivery.claim must be longer than delivery.timeout')
  }
  const { keys } = subscriptions.trigger
  const names = Object.values(keys)
  if (new Set(names).size < names.length) throw new SettingsFault('subscriptions.trigger.keys must all be different')
}

/** Rules that involve several settings. */
export function checkTaggingSettings({ tagging, engine }: Settings): void {
  const { kind } = tagging.log
  if (engine.kind === 'embedded' && kind !== undefined && kind !== 'sqlite') {
    throw new SettingsFault(`tagging.log.kind ${kind} requires engine.kind cluster`)
  }
  if (engine.kind === 'cluster' && kind === 'sqlite') {
    throw new SettingsFault('tagging.log.kind sqlite requires engine.kind embedded')
  }
  if (kind === 'kafka' && tagging.kafka.brokers.length === 0) {
    throw new SettingsFault('tagging.log.kind kafka requires tagging.kafka.brokers')
  }
  const { min, start, max } = tagging.batch
  if (min > start || start > max) {
    throw new SettingsFault('tagging.batch.min, tagging.batch.start and tagging.batch.max must be in ascending order')
  }
}
