import { constants, type Http2ServerRequest, Http2ServerResponse } from 'node:http2'

/**
 * Response class of HTTP/2. An answer that was sent before the body had arrived ends its stream, which asks the client
 * not to send the rest. An answer that breaks off is reset with an error: without one, it would look complete.
 */
export class ResettingResponse<R extends Http2ServerRequest> extends Http2ServerResponse<R> {
  constructor(...args: ConstructorParameters<typeof Http2ServerResponse<R>>) {
    super(...args)
    const { stream } = this
    // If the client leaves, Node ends the stream of an answer that was not sent, which is not finished then.
    const isFinished = (): boolean => stream.writableFinished && !stream.aborted
    Object.defineProperty(this, 'writableFinished', { get: isFinished })
    if (stream.endAfterHeaders) return
    stream.once('finish', () => {
      // In the next round, the end of the answer was sent.
      setImmediate(() => {
        if (!stream.destroyed) stream.close(constants.NGHTTP2_NO_ERROR)
      })
    })
  }

  override destroy(error?: Error): this {
    return super.destroy(error ?? new Error('The answer is incomplete'))
  }
}
