import { Command } from 'commander'
import { isRecord } from '../../model/json/json-object.ts'
import { ask, type Connection } from '../client/connection.ts'
import { describe, followTag, readState, reportTag, statusPath } from '../client/tag-follow.ts'
import { type TagTarget, withTagServer } from '../client/tag-server.ts'
import { CliFault, exitCodes } from '../terminal/cli-fault.ts'
import { interruptible } from '../terminal/interruption.ts'
import { addTargetOptions } from '../terminal/settings-options.ts'
import { printTable } from '../terminal/table.ts'
import { asRecords } from './index-command.ts'

interface ListOptions extends TagTarget {
  readonly from?: string
  readonly size?: string
}

interface WaitOptions extends TagTarget {
  readonly wait?: boolean
}

interface ReplayOptions extends WaitOptions {
  readonly offset: string
}

const HELP = `
Requests are stored in a log in the order of acceptance. A replay runs the requests of a collection again, starting at
an offset: for example after documents were reloaded.

Examples:
  $ periplus tags list earthquakes
  $ periplus tags status earthquakes 3e0f6c1a-5d0e-4f43-9a86-0f3a5b0f6f11 --wait
  $ periplus tags replay earthquakes --offset 0 --wait`

export function tagsCommand(): Command {
  const command = new Command('tags')
    .description('list, monitor and replay the tag requests of a collection')
    .addHelpText('after', HELP)
  const add = (name: string, description: string) => {
    const added = addTargetOptions(new Command(name)).description(description).argument('<collection>')
    command.addCommand(added)
    return added
  }
  add('list', 'list the requests of a collection, oldest first')
    .option('--from <offset>', 'first offset to list')
    .option('--size <number>', 'maximum number of requests to list')
    .option('--json', 'print JSON')
    .action((collection: string, options: ListOptions) =>
      withTagServer(options, (connection) => list(connection, collection, options)),
    )
  add('status', 'print the progress of a request')
    .argument('<id>')
    .option('--wait', 'wait until the request is finished and show its progress')
    .option('--json', 'print JSON')
    .action((collection: string, id: string, options: WaitOptions) =>
      withTagServer(options, (connection) => status(connection, collection, id, options)),
    )
  add('replay', 'run the requests of a collection again')
    .requiredOption('--offset <number>', 'offset of the first request to run again')
    .option('--wait', 'wait until all requests are finished and show their progress')
    .action((collection: string, options: ReplayOptions) =>
      withTagServer(options, (connection) => replay(connection, collection, options)),
    )
  return command
}

function listPath(collection: string, query: Readonly<Record<string, string | undefined>>): string {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, value)
  return `/status/${encodeURIComponent(collection)}/_taglist?${given}`
}

async function list(connection: Connection, collection: string, { from, size, json }: ListOptions): Promise<number> {
  const requests = asRecords(await ask(connection, 'GET', listPath(collection, { from, size })))
  if (json === true) console.log(JSON.stringify(requests, null, 2))
  else if (requests.length === 0) console.log(`There are no tag requests for ${collection}.`)
  else {
    const rows = requests.map(({ offset, id, action, tag, label, creationTime }) => {
      const { path, value } = isRecord(tag) ? tag : { path: '', value: undefined }
      const shown = value === undefined ? '' : JSON.stringify(value)
      return [
        Number(offset),
        String(id),
        dateOf(creationTime),
        String(action),
        String(path),
        shown,
        String(label ?? ''),
      ]
    })
    console.log(printTable(['offset', 'id', 'accepted', 'action', 'path', 'value', 'label'], rows))
  }
  return exitCodes.done
}

const dateOf = (ms: unknown): string => (typeof ms === 'number' ? new Date(ms).toISOString() : '')

async function status(connection: Connection, collection: string, id: string, options: WaitOptions): Promise<number> {
  if (options.wait === true) {
    const state = await interruptible((signal) => followTag(connection, collection, id, { signal }))
    if (options.json !== true) return reportTag(state)
  }
  const answer = await ask(connection, 'GET', statusPath(collection, id))
  if (options.json === true) {
    console.log(JSON.stringify(answer, null, 2))
    return exitCodes.done
  }
  const state = readState(answer)
  if (state.progress === 100) return reportTag(state)
  console.log(`${state.action}, ${state.progress}% done: ${describe(state)}.`)
  return exitCodes.done
}

async function replay(connection: Connection, collection: string, options: ReplayOptions): Promise<number> {
  const query = new URLSearchParams({ offset: options.offset })
  await ask(connection, 'POST', `/write/${encodeURIComponent(collection)}/_tagreplay?${query}`)
  const requests = asRecords(await ask(connection, 'GET', listPath(collection, { from: options.offset })))
  const count = `${requests.length} ${requests.length === 1 ? 'request' : 'requests'}`
  if (options.wait !== true || requests.length === 0) {
    console.log(`${count} of ${collection} from offset ${options.offset} on will be executed again.`)
    return exitCodes.done
  }
  let code: number = exitCodes.done
  for (const { id } of requests) {
    if (typeof id !== 'string') throw new CliFault(`The list of ${connection.where} has a request without id.`)
    const state = await interruptible((signal) => followTag(connection, collection, id, { signal }))
    code = Math.max(code, reportTag(state))
  }
  return code
}
