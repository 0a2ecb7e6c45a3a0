import { Command } from 'commander'
import { isRecord } from '../../model/json/json-object.ts'
import { ask, type Connection } from '../client/connection.ts'
import { exitCodes } from '../terminal/cli-fault.ts'
import { addTargetOptions } from '../terminal/settings-options.ts'
import { printTable } from '../terminal/table.ts'
import { asRecords, connected } from './index-command.ts'

/** Options shared by all subscription commands. */
export interface SubscriptionTarget {
  readonly url?: string
  readonly json?: boolean
  readonly admin?: boolean
}

const HELP = `
Examples:
  $ periplus subscriptions list
  $ periplus subscriptions show 7f0c6a1e-0d5e-4f43-9a86-0f3a5b0f6f11
  $ periplus subscriptions test 7f0c6a1e-0d5e-4f43-9a86-0f3a5b0f6f11
  $ periplus subscriptions secret 7f0c6a1e-0d5e-4f43-9a86-0f3a5b0f6f11`

export function subscriptionsCommand(): Command {
  const command = new Command('subscriptions')
    .description('list and show subscriptions, test their callbacks, rotate their secrets')
    .addHelpText('after', HELP)
  const add = (name: string, description: string) => {
    const added = addSubscriptionOptions(new Command(name)).description(description)
    command.addCommand(added)
    return added
  }
  add('list', 'list the subscriptions, newest first')
    .option('--size <number>', 'maximum number of subscriptions to list', '100')
    .action((options: SubscriptionTarget & { readonly size: string }) =>
      connected(options, (connection) => list(connection, options)),
    )
  add('show', 'print a subscription')
    .argument('<id>')
    .action((id: string, options: SubscriptionTarget) =>
      connected(options, async (connection) => {
        console.log(JSON.stringify(await ask(connection, 'GET', subscriptionPath(id, options)), null, 2))
      }),
    )
  add('test', 'send one test message to the callback and print the result')
    .argument('<id>')
    .action((id: string, options: SubscriptionTarget) =>
      connected(options, (connection) => test(connection, id, options)),
    )
  add('secret', 'create a new secret and print it once; the previous secret also signs for one more day')
    .argument('<id>')
    .action((id: string, options: SubscriptionTarget) =>
      connected(options, (connection) => renewSecret(connection, id, options)),
    )
  return command
}

export const addSubscriptionOptions = (command: Command): Command =>
  addTargetOptions(command)
    .option('--admin', 'use the administrator endpoints: subscriptions of all users')
    .option('--json', 'print JSON')

/** Path of one subscription, or of all. */
export function subscriptionPath(id: string | undefined, { admin }: SubscriptionTarget): string {
  const all = `${admin === true ? '/admin' : ''}/subscriptions`
  return id === undefined ? all : `${all}/${encodeURIComponent(id)}`
}

export const dateOf = (seconds: unknown): string =>
  typeof seconds === 'number' ? new Date(seconds * 1000).toISOString().replace('.000Z', 'Z') : ''

async function list(connection: Connection, options: SubscriptionTarget & { readonly size: string }): Promise<void> {
  const query = new URLSearchParams({ size: options.size })
  const answer = await ask(connection, 'GET', `${subscriptionPath(undefined, options)}?${query}`)
  const { subscriptions, total } = isRecord(answer) ? answer : {}
  const found = asRecords(subscriptions)
  if (options.json === true) {
    console.log(JSON.stringify(found, null, 2))
    return
  }
  if (found.length === 0) {
    console.log('There are no subscriptions: create one with POST /subscriptions.')
    return
  }
  const rows = found.map(({ id, created_by, created_at, active, deleted, title, subscription }) => {
    const { callback } = isRecord(subscription) ? subscription : {}
    const state = deleted === true ? 'deleted' : active === true ? 'active' : 'off'
    return [String(id), String(created_by), dateOf(created_at), state, String(title), String(callback)]
  })
  console.log(printTable(['id', 'created by', 'created', 'state', 'title', 'callback'], rows))
  if (Number(total) > found.length)
    console.log(`... and ${Number(total) - found.length} more: use --size to list them.`)
}

async function test(connection: Connection, id: string, options: SubscriptionTarget): Promise<void> {
  const answer = await ask(connection, 'POST', `${subscriptionPath(id, options)}/_test`)
  const { state, last_status, last_error, attempt_log } = isRecord(answer) ? answer : {}
  if (state !== 'DELIVERED') process.exitCode = exitCodes.failed
  if (options.json === true) {
    console.log(JSON.stringify(answer, null, 2))
    return
  }
  const [attempt] = asRecords(attempt_log)
  const status = last_status === undefined ? 'without a response' : `with status ${last_status}`
  const took = `after ${attempt?.duration_ms} ms`
  if (state === 'DELIVERED') console.log(`The callback accepted the test message, ${status}, ${took}.`)
  else console.log(`The test message was not delivered: ${last_error}, ${status}, ${took}.`)
}

async function renewSecret(connection: Connection, id: string, options: SubscriptionTarget): Promise<void> {
  const answer = await ask(connection, 'POST', `${subscriptionPath(id, options)}/secret`)
  const { secret, previous_expires_at: until } = isRecord(answer) ? answer : {}
  if (options.json === true) console.log(JSON.stringify(answer, null, 2))
  else {
    console.log(String(secret))
    const former = until === undefined ? '' : ` The previous secret also signs until ${dateOf(until)}.`
    console.error(`The secret is not shown again.${former}`)
  }
}
