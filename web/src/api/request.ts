import { authorization, signInWanted, token } from './session.ts'

/** What the server, or the way to it, said instead of an answer. */
export class RequestFault extends Error {
  /** 0: no answer at all. */
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.name = 'RequestFault'
    this.status = status
    this.code = code
  }
}

/** Where the server is; the page may lie behind a prefix. */
export const base = new URL('./', location.href.split(/[?#]/, 1)[0]).href

/** Asks the server; throws a RequestFault unless the answer is a success. */
export async function send(path: string, init: RequestInit = {}): Promise<Response> {
  const signed = token.value
  const headers = { ...authorization(), ...(init.headers as Record<string, string> | undefined) }
  let response: Response
  try {
    response = await fetch(new URL(path, base), { ...init, headers })
  } catch (error) {
    if (init.signal?.aborted === true) throw error
    throw new RequestFault(0, 'UNREACHABLE', 'The server does not answer')
  }
  if (response.ok) return response
  // an answer to what was asked before somebody signed in says nothing about now
  if (response.status === 401 && signed === token.value) signInWanted.value = true
  throw await readFault(response)
}

async function readFault(response: Response): Promise<RequestFault> {
  const text = await response.text()
  try {
    const { message, error } = JSON.parse(text) as { readonly message?: string; readonly error?: string }
    return new RequestFault(response.status, error ?? '', message ?? `The server answered ${response.status}`)
  } catch {
    return new RequestFault(response.status, '', `The server answered ${response.status}`)
  }
}

/** Asks for JSON. The form of answers is the server's own description, which its tests hold it to. */
export async function ask<T>(path: string, init: RequestInit = {}): Promise<T> {
  const response = await send(path, init)
  return (await response.json()) as T
}

export const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError'
