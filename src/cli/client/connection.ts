import type { Engine, WriteResult } from '../../engine/engine.ts'
import type { OutgoingDocument } from '../../ingest/load/load-target.ts'
import { CliFault } from '../terminal/cli-fault.ts'

export interface Answer {
  readonly status: number
  readonly text: string
}

export function readAnswer({ status, text }: Answer, where: string): unknown {
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    throw new CliFault(`The response of ${where} is not JSON (status ${status}): check that it is a Periplus server.`)
  }
  if (status < 400) return content
  const message = typeof content === 'object' && content !== null && 'message' in content ? content.message : text
  const advice = status === 401 ? ': set PERIPLUS_CLIENT_TOKEN to a key or token' : ''
  throw new CliFault(`${String(message)}${advice}.`)
}

export type Method = 'GET' | 'PUT' | 'POST' | 'DELETE'

/**
 * Target of the commands: a running server, or the same server without a socket, opened on the data directory. Both
 * take the same requests.
 */
export interface Connection {
  /** For messages: `the server at http://...`, `the data directory /...` or `the cluster`. */
  readonly where: string
  /** URL of the running server, if there is one. */
  readonly url?: string
  /** The engine, if this process has opened it. */
  readonly engine?: Engine
  send(method: Method, path: string, body?: string, contentType?: string): Promise<Answer>
  /** A GET with a potentially large answer. Reading throws if the answer is truncated. */
  download(path: string, signal: AbortSignal): Promise<Download>
  /** One result per document, in order. */
  write(index: string, documents: readonly OutgoingDocument[]): Promise<readonly WriteResult[]>
  /** Arranges the index after a load. */
  settle(index: string): Promise<void>
  close(): Promise<void>
}

/** An answer that is read while it arrives. */
interface Download {
  readonly status: number
  readonly body: AsyncIterable<Uint8Array>
}

/** Sends a request and returns its JSON answer. Throws a CliFault with the message of the server on an error answer. */
export async function ask(connection: Connection, method: Method, path: string, body?: unknown): Promise<unknown> {
  const answer = await connection.send(method, path, body === undefined ? undefined : JSON.stringify(body))
  return readAnswer(answer, connection.where)
}
