import { createInterface } from 'node:readline/promises'
import { Command } from 'commander'
import { connect } from '../client/connect.ts'
import { ask, type Connection } from '../client/connection.ts'
import { CliFault, exitCodes } from '../terminal/cli-fault.ts'
import { addTargetOptions, settingsOf } from '../terminal/settings-options.ts'
import { printTable } from '../terminal/table.ts'

interface Options {
  readonly url?: string
  readonly json?: boolean
  readonly yes?: boolean
}

const HELP = `
Examples:
  $ periplus index list
  $ periplus index show earthquakes
  $ periplus index drop earthquakes --yes`

export function indexCommand(): Command {
  const command = new Command('index').description('list, show and drop indices').addHelpText('after', HELP)
  command.addCommand(
    addTargetOptions(new Command('list'))
      .description('list the indices with their document counts')
      .option('--json', 'print JSON')
      .action((options: Options) => connected(options, (connection) => list(connection, options))),
  )
  command.addCommand(
    addTargetOptions(new Command('show'))
      .description('print the mapping of an index, for use with "periplus load --mapping"')
      .argument('<name>')
      .action((name: string, options: Options) => connected(options, (connection) => show(connection, name))),
  )
  command.addCommand(
    addTargetOptions(new Command('drop'))
      .description('drop an index with all its documents')
      .argument('<name>')
      .option('-y, --yes', 'do not ask for confirmation')
      .action((name: string, options: Options) => connected(options, (connection) => drop(connection, name, options))),
  )
  return command
}

/** Runs work on the server or data directory named by the options, then closes the connection. */
export async function connected(options: Options, work: (connection: Connection) => Promise<void>): Promise<void> {
  const connection = await connect(settingsOf({ ...options }), options.url)
  try {
    await work(connection)
  } finally {
    await connection.close()
  }
}

async function list(connection: Connection, { json }: Options): Promise<void> {
  const rows = asRecords(await ask(connection, 'GET', '/index/_cat/indices?format=json'))
  if (json === true) console.log(JSON.stringify(rows, null, 2))
  else if (rows.length === 0) console.log('There are no indices: load a file with "periplus load FILE".')
  else
    console.log(
      printTable(
        ['index', 'documents'],
        rows.map((row) => [String(row.index), Number(row['docs.count'])]),
      ),
    )
}

async function show(connection: Connection, name: string): Promise<void> {
  const answer = await ask(connection, 'GET', `/index/${encodeURIComponent(name)}/_mapping`)
  const [only] = asRecords(Object.values(answer ?? {}))
  console.log(JSON.stringify(only?.mappings, null, 2))
}

async function drop(connection: Connection, name: string, { yes }: Options): Promise<void> {
  const path = `/index/${encodeURIComponent(name)}`
  await ask(connection, 'GET', path)
  if (yes !== true && !(await confirm(`Drop index ${name} of ${connection.where} with all its documents? [y/N] `))) {
    throw new CliFault('Nothing was dropped: answer y, or use --yes.', exitCodes.usage)
  }
  await ask(connection, 'DELETE', path)
  console.log(`Index ${name} dropped.`)
}

async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(?:es)?$/i.test((await terminal.question(question)).trim())
  } finally {
    terminal.close()
  }
}

/** Returns the objects of an array; empty if it is not an array. */
export function asRecords(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'object' && each !== null) : []
}
