import type { Http2ServerRequest } from 'node:http2'
import { problem } from '../../../errors.ts'
import { ClientLeft } from '../../request/caller.ts'

/**
 * Gives an HTTP/2 request the headers by which the server recognises the host and a body of unknown length, so that
 * nothing else has to know the protocol.
 */
export function completeHeaders({ headers, authority, stream }: Http2ServerRequest): void {
  headers.host ??= authority
  if (!stream.endAfterHeaders && headers['content-length'] === undefined) headers['transfer-encoding'] = 'chunked'
}

/** Makes the body of an HTTP/2 request fail where that of an HTTP/1.1 request does: Node would end it as if complete. */
export function checkArrival(request: Http2ServerRequest, arrivalMs: number): void {
  if (request.stream.endAfterHeaders) return
  const timer = setTimeout(() => request.destroy(problem('REQUEST_TIMEOUT', { value: arrivalMs })), arrivalMs)
  const clear = (): void => clearTimeout(timer)
  request.once('end', clear).once('close', clear)
  request.once('aborted', () => request.destroy(new ClientLeft()))
  // Whoever reads the body gets the error. An unread one must not crash the process.
  request.on('error', () => {})
}
