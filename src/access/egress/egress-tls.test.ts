import { createServer, type ServerOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import { AUTHORITY, CERTIFICATE, KEY } from './certificates.fixture.ts'
import { createEgressClient } from './egress-client.ts'
import { createEgressGuard } from './egress-guard.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** Returns the port. `names` collects the server names of TLS handshakes. */
async function serve(names: unknown[], options: ServerOptions = {}): Promise<number> {
  const server = createServer({ cert: CERTIFICATE, key: KEY, ...options }, (request, response) => {
    names.push((request.socket as TLSSocket).servername, request.headers.host)
    request.resume().on('end', () => response.end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(
    () =>
      new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      }),
  )
  return (server.address() as AddressInfo).port
}

async function post(url: string, ca?: string): Promise<unknown> {
  const guard = createEgressGuard({
    settings: { httpsOnly: true, ports: ['1-65535'], allow: ['127.0.0.1/32'], only: false },
    resolve: async () => ['127.0.0.1'],
  })
  const client = createEgressClient(guard, { connectTimeoutMs: 2_000, ...(ca === undefined ? {} : { ca }) })
  closing.push(() => client.close())
  try {
    const { status } = await client.request({ url, method: 'POST', headers: {}, body: 'x', timeoutMs: 5_000 })
    return status
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error
  }
}

describe('https targets', () => {
  it('are asked for by name, and known by the authority of the settings', async () => {
    const names: unknown[] = []
    const port = await serve(names)
    expect(await post(`https://hooks.example.com:${port}/`, AUTHORITY)).toBe(200)
    expect(names).toEqual(['hooks.example.com', `hooks.example.com:${port}`])
  })

  it('are refused when nobody vouches for them, whatever the environment says', async () => {
    const names: unknown[] = []
    const port = await serve(names)
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    try {
      expect(await post(`https://hooks.example.com:${port}/`)).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE')
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    }
    expect(names).toEqual([])
  })

  it('are refused under another name, and by address', async () => {
    const names: unknown[] = []
    const port = await serve(names)
    expect(await post(`https://other.example.com:${port}/`, AUTHORITY)).toBe('ERR_TLS_CERT_ALTNAME_INVALID')
    expect(await post(`https://127.0.0.1:${port}/`, AUTHORITY)).toBe('ERR_TLS_CERT_ALTNAME_INVALID')
    expect(names).toEqual([])
  })

  it('are refused when they speak old TLS only', async () => {
    const names: unknown[] = []
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
    const port = await serve(names, old)
    expect(String(await post(`https://hooks.example.com:${port}/`, AUTHORITY))).toMatch(/^ERR_SSL_|^EPROTO$/)
    expect(names).toEqual([])
  })
})
