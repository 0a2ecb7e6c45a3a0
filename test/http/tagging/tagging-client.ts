import { type Answer, call } from '../../support/http-client.ts'
import { PATIENT } from '../../support/patience.ts'

/** The used members of the status of a tag request. */
export interface State {
  readonly id: string
  readonly progress: number
  readonly updated: number
  readonly [key: string]: unknown
}

/** Sends a tag request. A string or bytes are sent unchanged, with the media type of JSON. */
export function post(
  base: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array
  return call(base, {
    method: 'POST',
    path,
    headers: { ...(isRaw ? { 'content-type': 'application/json' } : {}), ...headers },
    body,
  })
}

/** Waits until a request is finished and returns its status. */
export async function finished(base: string, collection: string, id: string): Promise<State> {
  const until = Date.now() + PATIENT.timeout
  for (;;) {
    const answer = await call(base, { path: `/status/${collection}/_tag/${id}` })
    const state = answer.json() as State
    if (state.progress === 100) return state
    if (Date.now() > until || answer.status !== 200) throw new Error(`not finished: ${answer.status} ${answer.text}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Sends a request that must be accepted, and waits until it is finished. */
export async function tagged(
  base: string,
  collection: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<State> {
  const answer = await post(base, `/write/${collection}/_tag`, body, headers)
  if (answer.status !== 200) throw new Error(`rejected: ${answer.text}`)
  return finished(base, collection, (answer.json() as State).id)
}

/** Returns the requests of a collection. */
export async function listed(
  base: string,
  collection: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const answer = await call(base, { path: `/status/${collection}/_taglist`, headers })
  if (answer.status !== 200) throw new Error(`no list: ${answer.text}`)
  return answer.json() as readonly Readonly<Record<string, unknown>>[]
}
