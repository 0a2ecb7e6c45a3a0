import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parse } from 'yaml'
import { isAddressRange } from './address-range.ts'
import {
  checkAuthSettings,
  checkClusterSettings,
  checkSubscriptionSettings,
  checkTaggingSettings,
  checkTlsSettings,
} from './check-settings.ts'
import { corsOrigins } from './cors-origins.ts'
import { nearestKey } from './nearest-key.ts'
import type { Setting } from './setting.ts'
import { settingList, VARIABLE_PREFIX } from './setting-list.ts'
import { checkValue, parseValue, SettingsFault } from './setting-value.ts'
import type { Settings } from './settings.ts'

const DEFAULT_FILE = 'periplus.yaml'

export interface SettingsSources {
  /** Flags by key, unparsed: `{ 'limits.size': '500' }`. */
  readonly flags?: Readonly<Record<string, string | undefined>>
  readonly env?: Readonly<Record<string, string | undefined>>
  /** File given with --config; by default `periplus.yaml` in `cwd`, if it exists. */
  readonly file?: string | undefined
  readonly cwd?: string
}

type Values = Map<string, unknown>

/** Merges defaults, file, environment and flags, in ascending priority. Throws a SettingsFault on any mistake. */
export function loadSettings(sources: SettingsSources): Settings {
  const values: Values = new Map()
  for (const setting of settingList) {
    if (setting.schema.default !== undefined) values.set(setting.key, setting.schema.default)
  }
  readFile(sources, values)
  readEnvironment(sources.env ?? {}, values)
  readFlags(sources.flags ?? {}, values)
  const settings = toSettings(values)
  checkTogether(settings)
  checkTlsSettings(settings)
  checkClusterSettings(settings)
  checkTaggingSettings(settings)
  checkSubscriptionSettings(settings)
  checkAuthSettings(settings)
  return settings
}

/** Loads the settings of this process. Only this function reads its environment. */
export function loadProcessSettings(sources: Omit<SettingsSources, 'env' | 'cwd'>): Settings {
  return loadSettings({ ...sources, env: process.env, cwd: process.cwd() })
}

function readFile(sources: SettingsSources, values: Values): void {
  const path = resolve(sources.cwd ?? '.', sources.file ?? DEFAULT_FILE)
  if (sources.file === undefined && !existsSync(path)) return
  const name = sources.file ?? DEFAULT_FILE
  let content: unknown
  try {
    content = parse(readFileSync(path, 'utf8'))
  } catch (error) {
    // The following lines quote the file, which may contain a password.
    const reason = (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]?.replace(/:$/, '')
    throw new SettingsFault(`The settings file ${name} cannot be read: ${reason}`)
  }
  if (content === null) return
  if (!isRecord(content)) throw new SettingsFault(`The settings file ${name} must contain keys and values`)
  readSection(content, '', name, values)
}

function readSection(section: Readonly<Record<string, unknown>>, prefix: string, file: string, values: Values): void {
  for (const [name, value] of Object.entries(section)) {
    const key = `${prefix}${name}`
    const setting = settingList.find((known) => known.key === key)
    if (setting !== undefined) values.set(key, checkValue(setting, value, file))
    else if (!settingList.some((known) => known.key.startsWith(`${key}.`))) throw unknown(key, file, keys())
    else if (isRecord(value)) readSection(value, `${key}.`, file, values)
    // `limits:` without keys is an empty section.
    else if (value !== null) throw new SettingsFault(`${key} must contain keys and values (${file})`)
  }
}

function readEnvironment(env: Readonly<Record<string, string | undefined>>, values: Values): void {
  for (const [variable, text] of Object.entries(env)) {
    if (!variable.startsWith(VARIABLE_PREFIX) || text === undefined || isInternal(variable)) continue
    const setting = settingList.find((known) => known.variable === variable)
    if (setting === undefined) throw unknown(variable, 'environment', settingList.map(variableOf))
    values.set(setting.key, parseValue(setting, text, `environment variable ${variable}`))
  }
}

function readFlags(flags: Readonly<Record<string, string | undefined>>, values: Values): void {
  for (const [key, text] of Object.entries(flags)) {
    if (text === undefined) continue
    const setting = settingList.find((known) => known.key === key)
    if (setting === undefined) throw unknown(key, 'command line', keys())
    values.set(key, parseValue(setting, text, `flag --${key}`))
  }
}

const variableOf = (setting: Setting): string => setting.variable
const keys = (): readonly string[] => settingList.map((setting) => setting.key)

/** Variables of tests and scripts, which are not server settings: `PERIPLUS_TEST_...`, `PERIPLUS_BENCH_...`. */
const isInternal = (variable: string): boolean => /^PERIPLUS_(?:TEST|BENCH|RUN)_/.test(variable)

function unknown(key: string, source: string, known: readonly string[]): SettingsFault {
  const near = nearestKey(key, known)
  const hint = near === undefined ? '' : `; did you mean ${near}?`
  return new SettingsFault(`${key} is not a setting (${source})${hint}`)
}

/** Rules that involve several settings or that the schema cannot express. */
function checkTogether(settings: Settings): void {
  const { server } = settings
  const wrong = server.trustedProxies.find((range) => !isAddressRange(range))
  if (wrong !== undefined) {
    throw new SettingsFault(`server.trustedProxies must be a list of IP addresses or CIDR ranges, got '${wrong}'`)
  }
  if (server.publicUrl !== undefined && !URL.canParse(server.publicUrl)) {
    throw new SettingsFault('server.publicUrl must be an http or https URL')
  }
  const wrongHost = server.allowedHosts.find((name) => !URL.canParse(`http://${name}`))
  if (wrongHost !== undefined) {
    throw new SettingsFault(`server.allowedHosts must be a list of host names or addresses, got '${wrongHost}'`)
  }
  if (server.cors.credentials && corsOrigins(settings).any) {
    throw new SettingsFault("server.cors.credentials requires explicit origins in server.cors.origins, got '*'")
  }
}

/** Every value was checked against the schema of its key. */
const toSettings = (values: Values): Settings => nest(values) as Settings

function nest(values: Values): Readonly<Record<string, unknown>> {
  const root: Record<string, unknown> = {}
  // Every section exists, even if none of its settings has a value.
  for (const { key } of settingList) sectionAt(root, key.split('.').slice(0, -1))
  for (const [key, value] of values) {
    const path = key.split('.')
    const name = path.pop() ?? key
    sectionAt(root, path)[name] = value
  }
  return root
}

function sectionAt(root: Record<string, unknown>, path: readonly string[]): Record<string, unknown> {
  return path.reduce((section, part) => {
    const inner = section[part]
    if (isRecord(inner)) return inner
    const created: Record<string, unknown> = {}
    section[part] = created
    return created
  }, root)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
