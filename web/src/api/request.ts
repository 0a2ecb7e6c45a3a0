import { noteResponse } from './notices.ts'
import { authorization, signInWanted, token } from './session.ts'

/** An error answer of the server, or a network error. */
export class RequestFault extends Error {
  /** 0: no answer. */
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.name = 'RequestFault'
    this.status = status
    this.code = code
  }
}

/** Base URL of the server; includes a proxy prefix, if any. */
export const base = new URL('./', location.href.split(/[?#]/, 1)[0]).href

let underWay = 0

/** Number of requests of widgets that wait for their response. */
export const requestsUnderWay = (): number => underWay

/** Sends a request; throws a RequestFault unless it succeeds. */
export async function send(path: string, init: RequestInit = {}): Promise<Response> {
  const signed = token.value
  const headers = { ...authorization(), ...(init.headers as Record<string, string> | undefined) }
  let response: Response
  try {
    response = await fetch(new URL(path, base), { ...init, headers })
  } catch (error) {
    if (init.signal?.aborted === true) throw error
    throw new RequestFault(0, 'UNREACHABLE', 'The server does not respond')
  }
  noteResponse(response)
  if (response.ok) return response
  // ignore a 401 of a request that was sent before the user signed in
  if (response.status === 401 && signed === token.value) signInWanted.value = true
  throw await readFault(response)
}

async function readFault(response: Response): Promise<RequestFault> {
  const text = await response.text()
  try {
    const { message, error } = JSON.parse(text) as { readonly message?: string; readonly error?: string }
    return new RequestFault(response.status, error ?? '', message ?? `The server returned status ${response.status}`)
  } catch {
    return new RequestFault(response.status, '', `The server returned status ${response.status}`)
  }
}

/** Requests JSON. Answers are not validated, because the tests of the server check their form. */
export async function ask<T>(path: string, init: RequestInit = {}): Promise<T> {
  underWay++
  try {
    const response = await send(path, init)
    return (await response.json()) as T
  } finally {
    underWay--
  }
}

export const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError'
