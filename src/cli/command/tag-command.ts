import { Command, Option } from 'commander'
import { Problem } from '../../errors.ts'
import type { Filter } from '../../model/filter.ts'
import type { TagRequest, TagValue } from '../../model/tag-request.ts'
import { parseTriplets } from '../../query/filter/triplets.ts'
import { ask, type Connection } from '../client/connection.ts'
import { followTag, interruptible, readState, reportTag, statusPath } from '../client/tag-follow.ts'
import { type TagTarget, withTagServer } from '../client/tag-server.ts'
import { CliFault, exitCodes } from '../terminal/cli-fault.ts'
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
Filters are those of searches: field:operator:value, alternatives joined with ";". Without --filter and --q the whole
collection is meant. The field must be one of the taggable_fields of the collection.

The server accepts the request and carries it out in the background; --wait shows how far it is, and ends with it.

Exit codes: 0 done (accepted, without --wait), 1 failed, 2 wrongly called, 3 done but some documents were not changed.`

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
    .requiredOption('--value <value>', 'the value to add')
    .addHelpText('after', TAG_HELP)
    .action((collection: string, options: TagOptions) =>
      withTagServer(options, (connection) => submit(connection, '_tag', collection, options)),
    )
}

export function untagCommand(): Command {
  return requestCommand('untag', 'remove a value, or all of them, from a field of many documents')
    .option('--value <value>', 'the value to remove')
    .option('--all', 'remove all values of the field')
    .addHelpText('after', UNTAG_HELP)
    .action((collection: string, options: TagOptions) => {
      if ((options.value === undefined) === (options.all !== true)) {
        throw new CliFault('Say what to remove: --value VALUE, or --all for all values of the field.', exitCodes.usage)
      }
      return withTagServer(options, (connection) => submit(connection, '_untag', collection, options))
    })
}

function requestCommand(name: string, description: string): Command {
  const command = new Command(name)
    .description(description)
    .argument('<collection>')
    .requiredOption('--path <field>', 'the field')
    .addOption(
      new Option('--type <type>', 'what the value is').choices(['string', 'number', 'boolean']).default('string'),
    )
    .option('--filter <filter>', 'field:operator:value; may be repeated, all must hold', collect)
    .option('--q <text>', 'text to look for, or field:text; may be repeated', collect)
    .option('--dateformat <pattern>', 'pattern of the dates in --filter')
    .option('--propagate <field>', 'change every document that has one of the values the selected ones have here')
    .option('--propagate-filter <filter>', 'of those, only documents that match; may be repeated', collect)
    .option('--label <text>', 'a note that is kept with the request')
    .option('--wait', 'wait until it is done, and show how far it is')
    .option('--json', 'print the answer of the server as JSON')
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
    else console.log(`Accepted as ${id} (${action}): "periplus tags status ${collection} ${id}" tells how far it is.`)
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
    throw new CliFault('--propagate-filter needs --propagate FIELD.', exitCodes.usage)
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
