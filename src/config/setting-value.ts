import { Ajv, type ValidateFunction } from 'ajv'
import { hideCredentials, hideSecret } from './hidden-secret.ts'
import type { Setting } from './setting.ts'

/** A mistake in the settings that prevents the start. The message names the key and its source. */
export class SettingsFault extends Error {
  constructor(message: string) {
    super(hideCredentials(message))
    this.name = 'SettingsFault'
  }
}

const ajv = new Ajv({ strict: false })
const validators = new Map<string, ValidateFunction>()

/** Validates a typed value from a file. `source` is used in messages. */
export function checkValue(setting: Setting, value: unknown, source: string): unknown {
  let validate = validators.get(setting.key)
  if (validate === undefined) {
    validate = ajv.compile(JSON.parse(JSON.stringify(setting.schema)))
    validators.set(setting.key, validate)
  }
  if (validate(value)) return value
  const visible = hideSecret(setting, value)
  const shown = typeof visible === 'string' ? visible : JSON.stringify(visible)
  throw new SettingsFault(`${setting.key} ${rule(setting)}, got '${shown}' (${source})`)
}

/** Parses a value from the environment or the command line. Lists are comma-separated. */
export function parseValue(setting: Setting, text: string, source: string): unknown {
  return checkValue(setting, typed(setting, text), source)
}

function typed(setting: Setting, text: string): unknown {
  switch (setting.kind) {
    case 'integer':
      return /^[+-]?[0-9]+$/.test(text.trim()) ? Number(text) : text
    case 'boolean': {
      const lower = text.trim().toLowerCase()
      return lower === 'true' ? true : lower === 'false' ? false : text
    }
    case 'list':
      return text
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '')
    case 'word':
      return text.trim().toLowerCase()
    case 'map':
      return parsedJson(text)
    case 'text':
      return text
  }
}

/** Returns the text unchanged if it is not JSON: the validation reports what is expected. */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Returns the rule of a setting as a clause: `must be an integer from 0 to 65535`. */
function rule(setting: Setting): string {
  const { minimum, maximum, anyOf } = setting.schema
  switch (setting.kind) {
    case 'integer':
      return `must be an integer ${maximum === undefined ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`}`
    case 'boolean':
      return 'must be true or false'
    case 'word':
      return `must be one of ${anyOf?.map((option) => option.const).join(', ')}`
    case 'list':
      return LIST_RULES[setting.key] ?? 'must be a list of strings'
    case 'map':
      return 'must be a map of names to lists of strings; in variables and options, a JSON object'
    case 'text':
      return TEXT_RULES[setting.key] ?? 'must be a non-empty string'
  }
}

const TEXT_RULES: Readonly<Record<string, string>> = {
  'server.publicUrl': 'must be an http or https URL',
  'cluster.referenceIndex': 'must be the name of an index',
  'egress.proxy': 'must be the URL of a proxy, such as http://proxy:3128',
  'auth.jwt.jwksUri': 'must be an http, https or file URL',
  'auth.header.user': 'must be the name of a header',
  'auth.header.groups': 'must be the name of a header',
}

const LIST_RULES: Readonly<Record<string, string>> = {
  'server.aliases': 'must be a list of prefixes such as /arlas',
  'server.allowedHosts': 'must be a list of host names or addresses without port',
  'server.cors.origins': 'must be a list of origins such as https://maps.example.org, or *',
  'cluster.urls': 'must be a list of http or https URLs',
  'auth.modes': 'must be a list of none, header, apikey or jwt',
  'auth.jwt.algorithms': 'must be a list of RSA, EC or EdDSA signature algorithms such as RS256',
}
