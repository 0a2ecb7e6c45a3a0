import { type Command, Option } from 'commander'
import { loadProcessSettings } from '../../config/load-settings.ts'
import { settingList } from '../../config/setting-list.ts'
import type { Settings } from '../../config/settings.ts'
import { CliFault, exitCodes } from './cli-fault.ts'

type Options = Readonly<Record<string, unknown>>

/** Short names of common settings. */
const SHORT: Readonly<Record<string, string>> = {
  port: 'server.port',
  host: 'server.host',
  data: 'data.directory',
  engine: 'engine.kind',
  clusterUrl: 'cluster.urls',
  logLevel: 'log.level',
  ca: 'client.caFile',
}

/** Adds the options that select the data directory or the server. */
export function addTargetOptions(command: Command): Command {
  return command
    .option('--url <address>', 'URL of a running server (detected automatically if it uses the same data directory)')
    .option('--ca <file>', 'CA certificates of an https server, as a PEM file (setting client.caFile)')
    .option('--data <directory>', 'data directory (setting data.directory)')
    .option('--config <file>', 'settings file (default: periplus.yaml if it exists)')
    .option('--set <key=value>', 'set any setting; may be repeated', collect)
    .addOption(engineOption())
    .addOption(clusterOption())
}

/** Adds the options of the server: the short ones, and one per setting of the schema. */
export function addSettingOptions(command: Command): Command {
  command
    .option('--port <number>', 'port to listen on (setting server.port)')
    .option('--host <address>', 'address to listen on (setting server.host)')
    .option('--data <directory>', 'data directory (setting data.directory)')
    .option('--log-level <level>', 'minimum level of logged messages (setting log.level)')
    .option('--config <file>', 'settings file (default: periplus.yaml if it exists)')
    .option('--set <key=value>', 'set any setting; may be repeated', collect)
    .addOption(engineOption())
    .addOption(clusterOption())
  for (const { key, schema, kind } of settingList) {
    const value = kind === 'word' ? (schema.anyOf?.map((option) => String(option.const)).join('|') ?? kind) : kind
    command.addOption(new Option(`--${key} <${value}>`, schema.description).helpGroup('Settings:'))
  }
  return command
}

/** Returns the settings of this run: defaults, file, environment, then the flags of the command. */
export function settingsOf(options: Options): Settings {
  const flags: Record<string, string> = {}
  for (const { key } of settingList) {
    const value = options[key]
    if (typeof value === 'string') flags[key] = value
  }
  for (const pair of Array.isArray(options.set) ? options.set : []) {
    const [, key, value] = /^([^=]+)=(.*)$/s.exec(String(pair)) ?? []
    if (key === undefined || value === undefined) {
      throw new CliFault(
        `--set must be key=value, for example --set limits.size=500, got '${String(pair)}'.`,
        exitCodes.usage,
      )
    }
    flags[key] = value
  }
  for (const [short, key] of Object.entries(SHORT)) {
    const value = options[short]
    if (typeof value === 'string') flags[key] = value
    if (Array.isArray(value)) flags[key] = value.join(',')
  }
  // a cluster URL implies the cluster engine
  if (options.clusterUrl !== undefined && flags['engine.kind'] === undefined) flags['engine.kind'] = 'cluster'
  return loadProcessSettings({ flags, file: typeof options.config === 'string' ? options.config : undefined })
}

const engineOption = (): Option =>
  new Option('--engine <kind>', 'embedded, or cluster for Elasticsearch or OpenSearch (setting engine.kind)')

const clusterOption = (): Option =>
  new Option('--cluster-url <address>', 'URL of a cluster node; may be repeated (setting cluster.urls)').argParser(
    collect,
  )

const collect = (value: string, before: readonly string[] | undefined): readonly string[] => [...(before ?? []), value]
