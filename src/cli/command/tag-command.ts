import { Command, Option } from 'commander'
import { Problem } from '../../errors.ts'
import type { Filter } from '../../model/filter.ts'
import type { TagRequest, TagValue } from '../../model/tag-request.ts'
import { parseTriplets } from '../../query/filter/triplets.ts'
import { ask, type Connection } from '../client/connection.ts'
import { followTag, readState, reportTag, statusPath } from '../client/tag-follow.ts'
import { type TagTarget, withTagServer } from '../client/tag-server.ts'
import { CliFault, exitCodes } from '../terminal/cli-fault.ts'
import { interruptible } from '../terminal/interruption.ts'
import { addTargetOptions } from '../terminal/settings-options.ts'

interface TagOptions extends TagTarget {
  readonly path: string
  readonly value?: string
  readonly type: 'string' | 'number' | 'boolean'
  readonly all?: boolean
  readonly filter?: readonly string[]
  readonly q?: readonly string[]
  readonly dateformat?: string
  readonly propagate?: string
  readonly propagateFilter?: readonly string[]
  readonly label?: string
  readonly wait?: boolean
}

const COMMON = `
Filters have the syntax of searches: field:operator:value, alternatives joined with ";". Without --filter and --q the
whole collection is selected. The field must be one of the taggable_fields of the collection.

The server accepts the request and processes it in the background; --wait shows the progress until it is finished.

Exit codes: 0 success (without --wait: accepted), 1 failure, 2 invalid arguments, 3 finished, but some documents were
not changed.`

const TAG_HELP = `${COMMON}

Examples:
  $ periplus tag earthquakes --path tags --value strong --filter mag:gte:6 --wait
  $ periplus tag earthquakes --path tags --value checked --label "check of May" --filter 'time:gte:now-1M'
  $ periplus tag earthquakes --path level --value 3 --type number --q place:Alaska
  $ periplus tag trips --path tags --value late --filter delay:gt:3600 --propagate vessel`

const UNTAG_HELP = `${COMMON}

Examples:
  $ periplus untag earthquakes --path tags --value strong --wait
  $ periplus untag earthquakes --path tags --all --filter mag:lt:6`

export function tagCommand(): Command {
  return requestCommand('tag', 'add a value to a field of many documents')
    .requiredOption('--value <value>', 'value to add')
    .addHelpText('after', TAG_HELP)
    .action((collection: string, options: TagOptions) =>
      withTagServer(options, (connection) => submit(connection, '_tag', collection, options)),
    )
}

export function untagCommand(): Command {
  return requestCommand('untag', 'remove one or all values from a field of many documents')
    .option('--value <value>', 'value to remove')
    .option('--all', 'remove all values of the field')
    .addHelpText('after', UNTAG_HELP)
    .action((collection: string, options: TagOptions) => {
      if ((options.value === undefined) === (options.all !== true)) {
        throw new CliFault(
          'Specify what to remove: --value VALUE, or --all for all values of the field.',
          exitCodes.usage,
        )
      }
      return withTagServer(options, (connection) => submit(connection, '_untag', collection, options))
    })
}

function requestCommand(name: string, description: string): Command {
  const command = new Command(name)
    .description(description)
    .argument('<collection>')
    .requiredOption('--path <field>', 'field to change')
    .addOption(
      new Option('--type <type>', 'type of the value').choices(['string', 'number', 'boolean']).default('string'),
    )
    .option('--filter <filter>', 'filter as field:operator:value; may be repeated, all must match', collect)
    .option('--q <text>', 'text to search for, or field:text; may be repeated', collect)
    .option('--dateformat <pattern>', 'date format of the values in --filter')
    .option('--propagate <field>', 'change all documents that share a value of this field with a selected document')
    .option('--propagate-filter <filter>', 'filter for the documents reached by --propagate; may be repeated', collect)
    .option('--label <text>', 'label stored with the request')
    .option('--wait', 'wait until the request is finished and show its progress')
    .option('--json', 'print the response of the server as JSON')
  return addTargetOptions(command)
}

async function submit(
  connection: Connection,
  operation: '_tag' | '_untag',
  collection: string,
  options: TagOptions,
): Promise<number> {
  const route = `/write/${encodeURIComponent(collection)}/${operation}`
  const answer = await ask(connection, 'POST', route, requestOf(options))
  const { id, action } = readState(answer)
  if (options.wait !== true) {
    if (options.json === true) console.log(JSON.stringify(answer, null, 2))
    else
      console.log(`Accepted as ${id} (${action}): check its progress with "periplus tags status ${collection} ${id}".`)
    return exitCodes.done
  }
  const state = await interruptible((signal) => followTag(connection, collection, id, { signal }))
  if (options.json !== true) return reportTag(state)
  console.log(JSON.stringify(await ask(connection, 'GET', statusPath(collection, id)), null, 2))
  return state.failed > 0 ? exitCodes.rejected : exitCodes.done
}

function requestOf(options: TagOptions): TagRequest {
  const { path, value, type, filter, q, dateformat, propagate, propagateFilter, label } = options
  if (propagate === undefined && propagateFilter !== undefined) {
    throw new CliFault('--propagate-filter requires --propagate FIELD.', exitCodes.usage)
  }
  const selected = readFilter(filter, q, dateformat)
  const carried = readFilter(propagateFilter, undefined, dateformat)
  return {
    tag: value === undefined ? { path } : { path, value: readValue(value, type) },
    ...(selected === undefined ? {} : { search: { filter: selected } }),
    ...(propagate === undefined
      ? {}
      : { propagation: { field: propagate, ...(carried === undefined ? {} : { filter: carried }) } }),
    ...(label === undefined ? {} : { label }),
  }
}

function readValue(text: string, type: TagOptions['type']): TagValue {
  if (type === 'string') return text
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  const number = Number(text)
  if (type === 'number' && text.trim() !== '' && Number.isFinite(number)) return number
  throw new CliFault(`--value must be a ${type} with --type ${type}, got '${text}'.`, exitCodes.usage)
}

/** Triplets in the form of a request body; the server validates them. */
function readFilter(
  f: readonly string[] | undefined,
  q: readonly string[] | undefined,
  dateformat: string | undefined,
): Filter | undefined {
  if (f === undefined && q === undefined) return undefined
  try {
    return { ...parseTriplets(f ?? [], q ?? []), ...(dateformat === undefined ? {} : { dateformat }) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new CliFault(`${error.message.replace(/^f /, '--filter ')}.`, exitCodes.usage)
  }
}

const collect = (value: string, before: readonly string[] | undefined): readonly string[] => [...(before ?? []), value]
