import { readFile } from 'node:fs/promises'
import type { JSONWebKeySet } from 'jose'
import type { AuthSettings } from '../../config/settings.ts'

const TIMEOUT_MS = 5_000
const KEY_SET_BYTES = 1024 * 1024

/** Loads the keys of the issuer from the configured URL, else from the URL found by discovery. */
export async function loadIssuerKeys({ issuer, jwksUri }: AuthSettings['jwt']): Promise<JSONWebKeySet> {
  const content = await readJson(jwksUri ?? (await discover(issuer ?? '')))
  if (!isRecord(content) || !Array.isArray(content.keys))
    throw new Error('The keys of the issuer are not a JSON Web Key Set')
  return { keys: content.keys }
}

/** OpenID Connect discovery. Throws if the document describes another issuer. */
async function discover(issuer: string): Promise<string> {
  const described = await readJson(`${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`)
  if (!isRecord(described) || described.issuer !== issuer || typeof described.jwks_uri !== 'string') {
    throw new Error('The discovery document of the issuer is invalid or describes another issuer')
  }
  return described.jwks_uri
}

async function readJson(address: string): Promise<unknown> {
  const url = new URL(address)
  return JSON.parse(url.protocol === 'file:' ? await readFile(url, 'utf8') : await fetchText(url))
}

async function fetchText(url: URL): Promise<string> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const response = await fetch(url, { signal, redirect: 'error', headers: { accept: 'application/json' } })
  if (!response.ok || response.body === null) throw new Error(`The issuer returned status ${response.status}`)
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body) {
    bytes += chunk.length
    if (bytes > KEY_SET_BYTES) throw new Error('The response of the issuer is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
