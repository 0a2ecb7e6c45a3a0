import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { NODE_CERTIFICATE, NODE_KEY } from './node-certificate.fixture.ts'
import { openTransportClient, type TransportOptions } from './transport-client.ts'

/** A node that returns the identity of the client. */
const node = createServer(
  { key: NODE_KEY, cert: NODE_CERTIFICATE, ca: NODE_CERTIFICATE, requestCert: true, rejectUnauthorized: false },
  (request, response) => {
    const { subject } = (request.socket as TLSSocket).getPeerCertificate()
    const { authorization = '' } = request.headers
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ authorization, shown: subject?.CN ?? '' }))
  },
)
let url: string

beforeAll(async () => {
  node.listen(0, '127.0.0.1')
  await once(node, 'listening')
  url = `https://127.0.0.1:${(node.address() as AddressInfo).port}`
})
afterAll(() => {
  node.closeAllConnections()
  node.close()
})

async function ask(options: Omit<TransportOptions, 'urls'>): Promise<unknown> {
  const client = openTransportClient({ urls: [url], ...options })
  try {
    return await client.send({ method: 'GET', path: '/' })
  } finally {
    await client.close()
  }
}

it('refuses a node whose authority nobody knows', async () => {
  await expect(ask({})).rejects.toMatchObject({ kind: 'certificate' })
})

it.each([
  [{ username: 'ann', password: 'secret' }, `Basic ${Buffer.from('ann:secret').toString('base64')}`],
  [{ apiKey: 'a2V5' }, 'ApiKey a2V5'],
  [{ apiKey: 'Bearer t.o.k' }, 'Bearer t.o.k'],
])('takes the authority of the settings, and sends the credentials %o', async (credentials, authorization) => {
  expect(await ask({ tls: { ca: NODE_CERTIFICATE }, ...credentials })).toEqual({ authorization, shown: '' })
})

it('shows the certificate of the settings', async () => {
  const tls = { ca: NODE_CERTIFICATE, cert: NODE_CERTIFICATE, key: NODE_KEY }
  expect(await ask({ tls })).toEqual({ authorization: '', shown: 'Periplus test node' })
})
