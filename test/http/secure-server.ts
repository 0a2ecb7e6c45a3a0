import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type ClientHttp2Session, type ClientHttp2Stream, connect, type OutgoingHttpHeaders } from 'node:http2'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { NODE_CERTIFICATE, NODE_KEY } from '../../src/cluster-client/node-certificate.fixture.ts'

/** Files of a certificate for 127.0.0.1. */
export interface CertificateFolder {
  readonly flags: Readonly<Record<string, string>>
  write(cert: string, key: string): void
  remove(): void
}

export function makeCertificate(): CertificateFolder {
  const directory = mkdtempSync(path.join(tmpdir(), 'periplus-tls-'))
  const [cert = '', key = ''] = ['cert.pem', 'key.pem'].map((name) => path.join(directory, name))
  const write = (certText: string, keyText: string): void => {
    writeFileSync(cert, certText)
    writeFileSync(key, keyText)
  }
  write(NODE_CERTIFICATE, NODE_KEY)
  return {
    flags: { 'tls.cert': cert, 'tls.key': key },
    write,
    remove: () => rmSync(directory, { recursive: true, force: true }),
  }
}

export interface StreamAnswer {
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
  /** Code with which the stream ended; 0: without error. */
  readonly code: number
}

/** Answers need not wait for the client. */
const settings = { initialWindowSize: 2 ** 24 }

export function openSession(port: number, ca = NODE_CERTIFICATE): ClientHttp2Session {
  // Unsent bodies count as memory of the session. Headers may be larger than those Node sends by default.
  const session = connect(`https://127.0.0.1:${port}`, {
    ca,
    servername: '',
    maxSessionMemory: 1_000,
    maxSendHeaderBlockLength: 1_000_000,
    settings,
  })
  session.once('connect', () => session.setLocalWindowSize(2 ** 26))
  // Streams have the error as well.
  session.on('error', () => undefined)
  return session
}

/** Collects the answer of a stream until it is closed. */
export function answerOf(stream: ClientHttp2Stream): Promise<StreamAnswer> {
  return new Promise((resolve) => {
    let headers: Record<string, unknown> = {}
    const pieces: Buffer[] = []
    stream.on('response', (given) => {
      headers = { ...given }
    })
    stream.on('data', (piece: Buffer) => pieces.push(piece))
    // The code of the stream tells the same.
    stream.on('error', () => undefined)
    stream.on('close', () => {
      const status = Number(headers[':status']) || undefined
      resolve({ status, headers, text: Buffer.concat(pieces).toString(), code: stream.rstCode })
    })
  })
}

/** Sends a request on an HTTP/2 connection; a body that is a stream is sent by the caller. */
export function ask(
  session: ClientHttp2Session,
  headers: OutgoingHttpHeaders,
  body?: string | Buffer,
): Promise<StreamAnswer> {
  const stream = session.request(headers, { endStream: body === undefined })
  const answer = answerOf(stream)
  if (body !== undefined) stream.end(body)
  return answer
}
