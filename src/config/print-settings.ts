import { stringify } from 'yaml'
import { hideSecret } from './hidden-secret.ts'
import type { Setting } from './setting.ts'
import { settingList } from './setting-list.ts'
import type { Settings } from './settings.ts'

/** Prints the settings as a file that reproduces them, except secrets, which are hidden. */
export function printConfig(settings: Settings): string {
  return stringify(shown(settings, ''))
}

function shown(section: object, prefix: string): object {
  const members = Object.entries(section).map(([name, value]: [string, unknown]) => {
    const key = `${prefix}${name}`
    const setting = settingList.find((known) => known.key === key)
    if (setting !== undefined) return [name, hideSecret(setting, value)]
    return [name, typeof value === 'object' && value !== null ? shown(value, `${key}.`) : value]
  })
  return Object.fromEntries(members)
}

/** Generates the reference page of the settings from the schema. */
export function settingsReference(): string {
  const rows = settingList.map((setting) => {
    const { key, variable, kind, schema } = setting
    return `| \`${key}\` | \`${variable}\` | ${kindText(setting, kind)} | ${defaultText(setting)} | ${schema.description ?? ''} |`
  })
  return [
    '# Settings',
    '',
    'Settings are read from the following sources. Later sources override earlier ones:',
    '',
    '1. the defaults;',
    '2. the settings file: `--config FILE`, or `periplus.yaml` in the working directory if it exists;',
    '3. environment variables;',
    '4. the command line: an option of `periplus serve` with the key, such as `--limits.size 500`, or `--set limits.size=500`, which all commands accept.',
    '',
    'In environment variables and options, lists are comma-separated and maps of lists are JSON objects. If a key or variable is unknown, or a value has the wrong type, the server does not start and prints a message with its name. `periplus serve --print-config` prints the current settings in the format of a settings file, with `***` instead of secrets. Use environment variables for secrets.',
    '',
    '```yaml',
    'server:',
    '  port: 9999',
    '  cors:',
    '    origins: [https://maps.example.org]',
    'limits:',
    '  size: 5000',
    '```',
    '',
    '| Key | Variable | Type | Default | Meaning |',
    '|---|---|---|---|---|',
    ...rows,
    '',
    'The server ignores variables that start with `PERIPLUS_TEST_`, `PERIPLUS_BENCH_` or `PERIPLUS_RUN_`, which are used by the tests, the benchmark and the start scripts.',
    '',
  ].join('\n')
}

function kindText(setting: Setting, kind: Setting['kind']): string {
  if (kind === 'word') return setting.schema.anyOf?.map((option) => `\`${option.const}\``).join(', ') ?? kind
  if (kind === 'map') return 'map of lists of strings'
  if (kind === 'text') return 'string'
  return kind === 'list' ? 'list of strings' : kind
}

function defaultText({ schema, kind }: Setting): string {
  if (schema.defaultText !== undefined) return schema.defaultText
  if (schema.default === undefined) return 'none'
  if (kind === 'map') return 'empty'
  if (kind === 'list') {
    const items = schema.default as readonly string[]
    return items.length === 0 ? 'empty' : items.map((item) => `\`${item}\``).join(', ')
  }
  return `\`${schema.default}\``
}
