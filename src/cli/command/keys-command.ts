import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { Command } from 'commander'
import { type ApiKeyRecord, createApiKey, hasExpired } from '../../access/keys/api-key.ts'
import { changeKeyFile, KeyFileFault, keyFileOf, readKeyFile } from '../../access/keys/api-key-file.ts'
import { scopedPermissions } from '../../access/keys/key-scope.ts'
import { PermissionFault, parsePermission, parseVerbs } from '../../access/permission.ts'
import { CliFault, exitCodes } from '../terminal/cli-fault.ts'
import { settingsOf } from '../terminal/settings-options.ts'
import { printTable } from '../terminal/table.ts'

interface CreateOptions {
  readonly user: string
  readonly role?: readonly string[]
  readonly permission?: readonly string[]
  readonly collection?: readonly string[]
  readonly verbs: string
  readonly organisation?: readonly string[]
  readonly expires?: string
}

const HELP = `
The secret of a key is shown once, when the key is created; the key file stores only its hash. A running server with
auth.modes apikey applies changes at its next request.

Examples:
  $ periplus keys create --user maps --role role/arlas/user --expires 90d
  $ periplus keys create --user kiosk --collection trips --collection parks --verbs GET
  $ periplus keys create --user loader --role role/periplus/admin
  $ periplus keys list
  $ periplus keys revoke ID`

const DAY = 86_400_000
const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: DAY }

export function keysCommand(): Command {
  const command = new Command('keys').description('create, list and revoke API keys').addHelpText('after', HELP)
  const add = (name: string, description: string): Command => {
    const added = new Command(name)
      .description(description)
      .option('--data <directory>', 'data directory (setting data.directory)')
      .option('--config <file>', 'settings file (default: periplus.yaml if it exists)')
      .option('--set <key=value>', 'set any setting; may be repeated', collect)
    command.addCommand(added)
    return added
  }
  add('create', 'create a key and print it once')
    .requiredOption('--user <name>', 'user of the key')
    .option('--role <name>', 'role; may be repeated', collect)
    .option('--permission <text>', 'permission; may be repeated', collect)
    .option('--collection <name>', 'restrict the key to exploring this collection; may be repeated', collect)
    .option('--verbs <list>', 'HTTP methods allowed on these collections', 'GET,POST')
    .option('--organisation <name>', 'organisation of the user; may be repeated', collect)
    .option('--expires <when>', 'expiry as a date, or as a duration from now such as 90d, 12h or 30m')
    .action((options: CreateOptions) => create(fileFor({ ...options }), options))
  add('list', 'list the keys without their secrets')
    .option('--json', 'print JSON')
    .action((options: { readonly json?: boolean }) => list(fileFor({ ...options }), options.json === true))
  add('revoke', 'revoke a key')
    .argument('<id>')
    .action((id: string, options: object) => revoke(fileFor({ ...options }), id))
  return command
}

const fileFor = (options: Readonly<Record<string, unknown>>): string => keyFileOf(settingsOf(options))

function create(file: string, options: CreateOptions): void {
  const { user, role = [], permission = [], collection = [], organisation } = options
  const now = Date.now()
  const expires = options.expires === undefined ? undefined : readTime(options.expires, now)
  const permissions = [...permission, ...scopedPermissions(collection, readVerbs(options.verbs))]
  for (const text of permissions) checkPermission(text)
  const { record, key } = createApiKey({
    user,
    roles: [...role],
    permissions,
    ...(organisation === undefined ? {} : { organisations: [...organisation] }),
    created: new Date(now).toISOString(),
    ...(expires === undefined ? {} : { expires: new Date(expires).toISOString() }),
  })
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  change(file, (keys) => [...keys, record])
  console.log(key)
  console.error(`Created key ${record.id} of ${user}. It is not shown again. Send it as "X-API-Key: ${record.id}..."`)
}

function list(file: string, json: boolean): void {
  const keys = attempt(() => readKeyFile(file))
  const shown = keys.map(({ hash: _, ...rest }) => rest)
  if (json) console.log(JSON.stringify(shown, null, 2))
  else if (keys.length === 0) console.log('There are no keys: create one with "periplus keys create --user NAME".')
  else {
    const now = Date.now()
    const until = (key: ApiKeyRecord): string =>
      key.expires === undefined ? 'never' : hasExpired(key, now) ? `expired ${key.expires}` : key.expires
    const rows = keys.map((key) => [
      key.id,
      key.user,
      [...key.roles, ...key.permissions].join(' '),
      key.organisations?.join(' ') ?? '-',
      until(key),
    ])
    console.log(printTable(['id', 'user', 'rights', 'organisations', 'expires'], rows))
  }
}

function revoke(file: string, id: string): void {
  change(file, (keys) => {
    if (keys.some((key) => key.id === id)) return keys.filter((key) => key.id !== id)
    throw new CliFault(`Key ${id} does not exist: see "periplus keys list".`)
  })
  console.log(`Key ${id} revoked.`)
}

const change = (file: string, edit: (keys: readonly ApiKeyRecord[]) => readonly ApiKeyRecord[]): void =>
  attempt(() => changeKeyFile(file, edit))

function attempt<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof KeyFileFault ? new CliFault(`${error.message}.`) : error
  }
}

function checkPermission(text: string): void {
  try {
    parsePermission(text)
  } catch (error) {
    if (!(error instanceof PermissionFault)) throw error
    throw new CliFault(`--permission is invalid: ${error.message}, got '${text}'.`, exitCodes.usage)
  }
}

function readVerbs(text: string): string {
  if (parseVerbs(text) !== undefined) return text
  throw new CliFault(`--verbs must be methods such as GET,POST, or *, got '${text}'.`, exitCodes.usage)
}

/** Milliseconds since the epoch. */
function readTime(text: string, now: number): number {
  const [, count, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  const time = count === undefined ? Date.parse(text) : now + Number(count) * (UNITS[unit] ?? DAY)
  if (time > now) return time
  throw new CliFault(
    `--expires must be a date in the future, or a duration such as 90d, 12h or 30m, got '${text}'.`,
    exitCodes.usage,
  )
}

const collect = (value: string, before: readonly string[] | undefined): readonly string[] => [...(before ?? []), value]
