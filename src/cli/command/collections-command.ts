import { readFileSync, writeFileSync } from 'node:fs'
import { Command } from 'commander'
import { withGivenMask } from '../../storage/private-files.ts'
import { ask, type Connection, readAnswer } from '../client/connection.ts'
import { CliFault, exitCodes } from '../terminal/cli-fault.ts'
import { addTargetOptions } from '../terminal/settings-options.ts'
import { printTable } from '../terminal/table.ts'
import { asRecords, connected } from './index-command.ts'

interface Options {
  readonly url?: string
  readonly json?: boolean
}

interface PutOptions extends Options {
  readonly index?: string
  readonly idPath?: string
  readonly geometryPath?: string
  readonly centroidPath?: string
  readonly timestampPath?: string
  readonly check: boolean
}

const HELP = `
Examples:
  $ periplus collections list
  $ periplus collections put trips --index trips --id-path id --geometry-path geometry --centroid-path centroid \\
      --timestamp-path start
  $ periplus collections put trips params.json
  $ periplus collections export all.json
  $ periplus collections import all.json
  $ periplus collections delete trips`

export function collectionsCommand(): Command {
  const command = new Command('collections')
    .description('list, register, delete, export and import collections')
    .addHelpText('after', HELP)
  const add = (name: string, description: string) => {
    const added = addTargetOptions(new Command(name)).description(description)
    command.addCommand(added)
    return added
  }
  add('list', 'list the collections')
    .option('--json', 'print JSON')
    .action((options: Options) => connected(options, (connection) => list(connection, options)))
  add('put', 'register a collection, or replace its reference')
    .argument('<name>')
    .argument(
      '[file]',
      'JSON file with the parameters of the collection, or - for standard input; options take precedence',
    )
    .option('--index <name>', 'index with the documents')
    .option('--id-path <path>', 'field that identifies a document')
    .option('--geometry-path <path>', 'field with the geometry')
    .option('--centroid-path <path>', 'field with the centroid of the geometry')
    .option('--timestamp-path <path>', 'field with the timestamp')
    .option('--no-check', 'do not check that the index and its fields exist')
    .action((name: string, file: string | undefined, options: PutOptions) =>
      connected(options, (connection) => put(connection, name, file, options)),
    )
  add('delete', 'delete a collection; its documents are kept')
    .argument('<name>')
    .action((name: string, options: Options) =>
      connected(options, async (connection) => {
        await ask(connection, 'DELETE', pathOf(name))
        console.log(`Collection ${name} deleted; the documents of its index are kept.`)
      }),
    )
  add('export', 'export all collections to a file, or to standard output')
    .argument('[file]')
    .action((file: string | undefined, options: Options) =>
      connected(options, (connection) => exportAll(connection, file)),
    )
  add('import', 'register all collections of an exported file, or none if one of them is invalid')
    .argument('<file>', 'input file, or - for standard input')
    .action((file: string, options: Options) => connected(options, (connection) => importAll(connection, file)))
  return command
}

const pathOf = (name: string): string => `/collections/${encodeURIComponent(name)}`

async function list(connection: Connection, { json }: Options): Promise<void> {
  const references = asRecords(await ask(connection, 'GET', '/collections'))
  if (json === true) console.log(JSON.stringify(references, null, 2))
  else if (references.length === 0)
    console.log('There are no collections: register one with "periplus collections put".')
  else {
    const keys = ['index_name', 'id_path', 'geometry_path', 'centroid_path', 'timestamp_path'] as const
    const rows = references.map(({ collection_name, params }) => {
      const [inner] = asRecords([params])
      return [String(collection_name), ...keys.map((key) => String(inner?.[key] ?? ''))]
    })
    console.log(printTable(['collection', ...keys], rows))
  }
}

async function put(connection: Connection, name: string, file: string | undefined, options: PutOptions): Promise<void> {
  const given = Object.entries({
    index_name: options.index,
    id_path: options.idPath,
    geometry_path: options.geometryPath,
    centroid_path: options.centroidPath,
    timestamp_path: options.timestampPath,
  }).filter(([, value]) => value !== undefined)
  const body = { ...(file === undefined ? {} : readParameters(file)), ...Object.fromEntries(given) }
  await ask(connection, 'PUT', `${pathOf(name)}${options.check ? '' : '?checkfields=false'}`, body)
  console.log(`Collection ${name} registered: GET /explore/${name}/_search`)
}

function readParameters(file: string): Readonly<Record<string, unknown>> {
  let content: unknown
  try {
    content = JSON.parse(readText(file))
  } catch (error) {
    if (error instanceof CliFault) throw error
    throw new CliFault(
      `The file ${file} is not JSON: it must contain the parameters of the collection as a JSON object.`,
    )
  }
  const [parameters] = asRecords([content])
  if (parameters === undefined) throw new CliFault(`The file ${file} must contain a JSON object.`)
  // the answer of GET /collections/{name} is accepted as input
  const [inner] = asRecords([parameters.params])
  return inner ?? parameters
}

async function exportAll(connection: Connection, file: string | undefined): Promise<void> {
  const references = asRecords(await ask(connection, 'GET', '/collections/_export'))
  const text = `${JSON.stringify(references, null, 2)}\n`
  if (file === undefined) process.stdout.write(text)
  else {
    withGivenMask(() => writeFileSync(file, text))
    console.log(`${references.length} ${references.length === 1 ? 'collection' : 'collections'} written to ${file}.`)
  }
}

async function importAll(connection: Connection, file: string): Promise<void> {
  const form = new URLSearchParams({ file: readText(file) }).toString()
  const answer = await connection.send('POST', '/collections/_import', form, 'application/x-www-form-urlencoded')
  console.log(`${String(readAnswer(answer, connection.where))}.`)
}

function readText(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch {
    throw new CliFault(`The file ${file} cannot be read: check the path.`, exitCodes.usage)
  }
}
