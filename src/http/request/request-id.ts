import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export const REQUEST_ID_HEADER = 'x-request-id'

const SOUND = /^[A-Za-z0-9._:@/+=-]{1,128}$/

/** Returns the id sent by the client if it is safe for log lines and headers, else a new one. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers[REQUEST_ID_HEADER]
  return typeof given === 'string' && SOUND.test(given) ? given : randomUUID()
}
