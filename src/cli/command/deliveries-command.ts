import { Command } from 'commander'
import { isRecord } from '../../model/json/json-object.ts'
import { ask, type Connection } from '../client/connection.ts'
import { printTable } from '../terminal/table.ts'
import { asRecords, connected } from './index-command.ts'
import { addSubscriptionOptions, dateOf, type SubscriptionTarget, subscriptionPath } from './subscriptions-command.ts'

interface ListOptions extends SubscriptionTarget {
  readonly state?: string
  readonly size: string
}

interface RetryOptions extends SubscriptionTarget {
  readonly state?: string
}

const HELP = `
Examples:
  $ periplus deliveries list 7f0c6a1e-0d5e-4f43-9a86-0f3a5b0f6f11 --state FAILED
  $ periplus deliveries retry 7f0c6a1e-0d5e-4f43-9a86-0f3a5b0f6f11 msg_5338da2448c447976e67c9707b87ce9d
  $ periplus deliveries retry 7f0c6a1e-0d5e-4f43-9a86-0f3a5b0f6f11 --state FAILED`

export function deliveriesCommand(): Command {
  const command = new Command('deliveries')
    .description('list and retry the deliveries of a subscription')
    .addHelpText('after', HELP)
  const add = (name: string, description: string) => {
    const added = addSubscriptionOptions(new Command(name)).description(description).argument('<subscription>')
    command.addCommand(added)
    return added
  }
  add('list', 'list the deliveries of a subscription, newest first')
    .option('--state <state>', 'only deliveries in this state: PENDING, DELIVERING, DELIVERED, FAILED or CANCELLED')
    .option('--size <number>', 'maximum number of deliveries to list', '20')
    .action((id: string, options: ListOptions) => connected(options, (connection) => list(connection, id, options)))
  add('retry', 'retry one delivery, or all in a state')
    .argument('[delivery]')
    .option('--state <state>', 'state of the deliveries to retry if no delivery is given (default: FAILED)')
    .action((id: string, delivery: string | undefined, options: RetryOptions) =>
      connected(options, (connection) => retry(connection, id, delivery, options)),
    )
  return command
}

const deliveriesPath = (id: string, options: SubscriptionTarget): string =>
  `${subscriptionPath(id, options)}/deliveries`

async function list(connection: Connection, id: string, options: ListOptions): Promise<void> {
  const { state, size } = options
  const query = new URLSearchParams({ ...(state === undefined ? {} : { state }), size })
  const answer = await ask(connection, 'GET', `${deliveriesPath(id, options)}?${query}`)
  if (options.json === true) {
    console.log(JSON.stringify(answer, null, 2))
    return
  }
  const { deliveries, total, disabled } = isRecord(answer) ? answer : {}
  const found = asRecords(deliveries)
  if (isRecord(disabled)) console.log(`Deactivated at ${dateOf(disabled.at)}: ${disabled.reason}.`)
  if (found.length === 0) {
    console.log('There are no deliveries.')
    return
  }
  const rows = found.map((delivery) => [
    String(delivery.id),
    dateOf(delivery.created_at),
    String(delivery.type),
    String(delivery.document_id ?? ''),
    String(delivery.state),
    Number(delivery.attempts),
    String(delivery.last_status ?? ''),
    String(delivery.last_error ?? ''),
    dateOf(delivery.next_attempt_at),
  ])
  const header = ['id', 'created', 'type', 'document', 'state', 'attempts', 'status', 'error', 'next attempt']
  console.log(printTable(header, rows))
  if (Number(total) > found.length)
    console.log(`... and ${Number(total) - found.length} more: use --size to list them.`)
}

async function retry(
  connection: Connection,
  id: string,
  delivery: string | undefined,
  options: RetryOptions,
): Promise<void> {
  const path = deliveriesPath(id, options)
  if (delivery !== undefined) {
    const answer = await ask(connection, 'POST', `${path}/${encodeURIComponent(delivery)}/_redeliver`)
    console.log(options.json === true ? JSON.stringify(answer, null, 2) : `Delivery ${delivery} is sent again.`)
    return
  }
  const query = new URLSearchParams(options.state === undefined ? {} : { state: options.state })
  const answer = await ask(connection, 'POST', `${path}/_redeliver?${query}`)
  const count = isRecord(answer) ? Number(answer.count) : 0
  if (options.json === true) console.log(JSON.stringify(answer, null, 2))
  else console.log(count === 1 ? '1 delivery is sent again.' : `${count} deliveries are sent again.`)
}
