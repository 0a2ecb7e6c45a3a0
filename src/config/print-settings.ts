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
    'Every setting can be written in a file, in the environment and on the command line; of these, each is stronger than the one before:',
    '',
    '1. the default;',
    '2. the file given with `--config FILE`, or `periplus.yaml` in the working directory when it exists;',
    '3. the environment variable;',
    '4. the flag of `periplus serve`: `--` and the key, as in `--limits.size 500`, or `--set limits.size=500`, which every command takes.',
    '',
    'Lists are comma-separated in variables and flags, lists by name a JSON object. An unknown key or variable, or a value of the wrong type, stops the start with a message that names it. `periplus serve --print-config` prints the settings in use as a file, `***` in place of secrets; those are best given in the environment.',
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
    'Variables that begin with `PERIPLUS_TEST_`, `PERIPLUS_BENCH_` or `PERIPLUS_RUN_` belong to the tests, the benchmark and the start scripts, and are not read by the server.',
    '',
  ].join('\n')
}

function kindText(setting: Setting, kind: Setting['kind']): string {
  if (kind === 'word') return setting.schema.anyOf?.map((option) => `\`${option.const}\``).join(', ') ?? kind
  if (kind === 'map') return 'lists of texts by name'
  return kind === 'list' ? 'list of texts' : kind
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
