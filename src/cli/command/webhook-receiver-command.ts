import { Command } from 'commander'
import { secretKey } from '../../subscriptions/delivery/webhook-secret.ts'
import { CliFault, exitCodes } from '../terminal/cli-fault.ts'

interface ReceiverOptions {
  readonly port: string
  readonly host: string
  readonly secret?: string
  readonly status: string
  readonly count?: string
}

const HELP = `
A callback for testing subscriptions: prints the webhooks it receives and, with --secret, whether their signatures are
valid. The server must be allowed to call this machine:

  $ periplus serve --egress.allow http://localhost:8090
  $ periplus webhook-receiver --port 8090 --secret whsec_...`

export function webhookReceiverCommand(): Command {
  return new Command('webhook-receiver')
    .description('receive webhooks, check their signatures and print them')
    .option('--port <number>', 'port to listen on; 0: any free port', '8090')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--secret <text>', 'secret of the subscription: whsec_ followed by base64')
    .option('--status <number>', 'status code of the response; 401 if a signature is invalid', '204')
    .option('--count <number>', 'exit after this number of webhooks')
    .addHelpText('after', HELP)
    .action(async (options: ReceiverOptions) => {
      const { secret, host } = options
      if (secret !== undefined && secretKey(secret) === undefined) {
        throw new CliFault('--secret must be whsec_ followed by 24 to 64 bytes in base64.', exitCodes.usage)
      }
      const { receiveWebhooks } = await import('./webhook-receiver.ts')
      await receiveWebhooks({
        host,
        port: readNumber('--port', options.port, 0, 65_535),
        status: readNumber('--status', options.status, 200, 599),
        ...(options.count === undefined ? {} : { count: readNumber('--count', options.count, 1, 1_000_000) }),
        ...(secret === undefined ? {} : { secret }),
        print: (line) => console.log(line),
      })
    })
}

function readNumber(name: string, text: string, least: number, most: number): number {
  const value = /^[0-9]{1,7}$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw new CliFault(`${name} must be an integer from ${least} to ${most}, got '${text}'.`, exitCodes.usage)
}
