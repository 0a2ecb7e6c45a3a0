import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, exportSPKI, generateKeyPair, type JWK, SignJWT } from 'jose'

export interface TokenIssuer {
  readonly url: string
  /** Number of requests for the keys. */
  readonly asked: () => number
  /** Replaces the keys; later tokens are signed with the new one. */
  rotate(alg?: string): Promise<void>
  /** The current public key as text. */
  publicKey(): Promise<string>
  sign(claims?: Readonly<Record<string, unknown>>, header?: Readonly<Record<string, string>>): Promise<string>
  stop(): Promise<void>
}

export const AUDIENCE = 'periplus'

/** Starts a token issuer with discovery and keys on a free loopback port. */
export async function startIssuer(): Promise<TokenIssuer> {
  let asked = 0
  let current: {
    readonly jwk: JWK
    readonly privateKey: CryptoKey
    readonly publicKey: CryptoKey
    readonly alg: string
  }
  let number = 0
  let url = ''
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    if (request.url === '/.well-known/openid-configuration') {
      response.end(JSON.stringify({ issuer: url, jwks_uri: `${url}/keys` }))
      return
    }
    asked++
    response.end(JSON.stringify({ keys: [current.jwk] }))
  })
  const rotate = async (alg = 'RS256'): Promise<void> => {
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
    const jwk = { ...(await exportJWK(publicKey)), kid: `key-${++number}`, alg, use: 'sig' }
    current = { jwk, privateKey, publicKey, alg }
  }
  await rotate()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    asked: () => asked,
    rotate,
    publicKey: () => exportSPKI(current.publicKey),
    sign: (claims = {}, header = {}) => {
      const now = Math.floor(Date.now() / 1000)
      const whole = { iss: url, aud: AUDIENCE, exp: now + 3600, sub: 'ann', ...claims }
      return new SignJWT(whole)
        .setProtectedHeader({ alg: current.alg, kid: current.jwk.kid ?? '', ...header })
        .sign(current.privateKey)
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
