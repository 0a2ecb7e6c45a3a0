import { readFileSync } from 'node:fs'
import { getCACertificates, TLSSocket } from 'node:tls'
import type { buildConnector } from 'undici'
import { CliFault } from '../terminal/cli-fault.ts'

/** How a command knows that it talks to the right server. */
export interface Trust {
  /** SHA-256 of the certificate, known from the data directory. No other certificate is accepted then. */
  readonly fingerprint?: string | undefined
  /** Setting `client.caFile`. */
  readonly caFile?: string | undefined
}

interface ServerRequest {
  readonly method?: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

export interface ServerResponse {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly body: AsyncIterable<Uint8Array> | null
  text(): Promise<string>
}

export type ServerFetch = (url: string, request?: ServerRequest) => Promise<ServerResponse>

/** Returns the `fetch` for the requests to one server. */
export async function serverFetch(url: string, { fingerprint, caFile }: Trust): Promise<ServerFetch> {
  if (!/^https:/i.test(url) || (fingerprint === undefined && caFile === undefined)) return fetch
  // Loaded on demand: it takes longer than a small command.
  const undici = await import('undici')
  const connect =
    fingerprint === undefined
      ? { ca: [...getCACertificates('default'), readCertificates(caFile ?? '')] }
      : onlyCertificate(fingerprint, undici.buildConnector)
  const dispatcher = new undici.Agent({ connect })
  return (target, request) => undici.fetch(target, { ...request, dispatcher })
}

/** Connects to a server by its certificate alone: its name may be any, as the address is that of this machine. */
function onlyCertificate(fingerprint: string, build: typeof buildConnector): buildConnector.connector {
  const connect = build({ rejectUnauthorized: false })
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error !== null) return callback(error, null)
      if (socket instanceof TLSSocket && socket.getPeerCertificate().fingerprint256 === fingerprint) {
        return callback(null, socket)
      }
      socket.destroy()
      callback(new Error('The server has another certificate'), null)
    })
}

function readCertificates(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new CliFault(`The file ${file} cannot be read: check the path (setting client.caFile).`)
  }
}
