import { createServer, type IncomingHttpHeaders } from 'node:http'
import { isRecord } from '../../model/json/json-object.ts'
import { verifyWebhook } from '../../subscriptions/delivery/webhook-signature.ts'
import { CliFault } from '../terminal/cli-fault.ts'

export interface ReceiverOptions {
  readonly host: string
  readonly port: number
  readonly secret?: string
  /** Status answered if the signature is valid or not checked. */
  readonly status: number
  /** Number of webhooks to receive before it stops; absent: until interrupted. */
  readonly count?: number
  readonly print: (line: string) => void
}

const BODY_BYTES = 1 << 20

/** Receives webhooks until stopped. */
export async function receiveWebhooks({ host, port, secret, status, count, print }: ReceiverOptions): Promise<void> {
  let received = 0
  let stop = (): void => undefined
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > BODY_BYTES) request.destroy()
      else chunks.push(chunk)
    })
    request.on('end', () => {
      if (request.method === 'OPTIONS') {
        const origin = request.headers['webhook-request-origin'] ?? '*'
        response.writeHead(204, { 'webhook-allowed-origin': origin, 'webhook-allowed-rate': '*' }).end()
        return
      }
      const body = Buffer.concat(chunks).toString('utf8')
      const verdict = secret === undefined ? undefined : verifyWebhook(secret, request.headers, body, Date.now() / 1000)
      received += 1
      print(describe(received, request.headers, body, verdict))
      response.writeHead(verdict === undefined || verdict === 'right' ? status : 401).end()
      if (received === count) response.on('close', () => stop())
    })
  })
  await new Promise<void>((resolve, reject) => {
    stop = () => {
      server.close(() => resolve())
      server.closeAllConnections()
    }
    server.on('error', (error) =>
      reject(new CliFault(`The receiver cannot listen on ${host}:${port}: ${error.message}.`)),
    )
    server.listen(port, host, () => {
      const address = server.address()
      const used = typeof address === 'object' ? address?.port : port
      const shown = host === '127.0.0.1' ? 'localhost' : host
      print(`Waiting for webhooks at http://${shown}:${used}/ (stop with Ctrl-C)`)
      if (secret === undefined) print('Signatures are not checked: specify the secret with --secret.')
    })
    process.once('SIGINT', stop).once('SIGTERM', stop)
  })
}

function describe(number: number, headers: IncomingHttpHeaders, body: string, verdict: string | undefined): string {
  const signature = verdict === undefined ? 'not checked' : verdict
  const head = [
    `#${number} ${headers['webhook-id'] ?? 'without webhook-id'}`,
    `  time       ${timeOf(headers['webhook-timestamp'])}`,
    `  signature  ${signature}`,
  ]
  return [...head, ...summary(body)].join('\n')
}

const timeOf = (timestamp: string | readonly string[] | undefined): string =>
  typeof timestamp === 'string' && /^[0-9]{1,12}$/.test(timestamp)
    ? new Date(Number(timestamp) * 1000).toISOString()
    : 'none'

/** Summary line of a notification, followed by the whole notification. */
function summary(body: string): readonly string[] {
  let content: unknown
  try {
    content = JSON.parse(body)
  } catch {
    return [`  body       ${body}`]
  }
  const { type, collection, object } = isRecord(content) ? content : {}
  const document = isRecord(object) && object.id !== undefined ? String(object.id) : undefined
  return [
    ...(type === undefined ? [] : [`  type       ${type}`]),
    ...(collection === undefined ? [] : [`  collection ${collection}`]),
    ...(document === undefined ? [] : [`  document   ${document}`]),
    ...JSON.stringify(content, null, 2)
      .split('\n')
      .map((line) => `  ${line}`),
  ]
}
