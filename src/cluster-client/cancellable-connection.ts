import {
  type ConnectionRequestOptions,
  type ConnectionRequestParams,
  errors,
  UndiciConnection,
} from '@elastic/transport'

/**
 * A connection that tells a request we gave up from one its node broke off: only the latter speaks against the node,
 * which would be left out for a minute.
 */
export class CancellableConnection extends UndiciConnection {
  // The answer as a stream, the other way to call this, is not used.
  override async request(params: ConnectionRequestParams, options: ConnectionRequestOptions): Promise<never> {
    try {
      return (await super.request(params, options)) as never
    } catch (error) {
      if (options.signal?.aborted) throw new errors.RequestAbortedError('Request aborted')
      throw error
    }
  }

  /** At once: whoever closes has given up what is under way. */
  override async close(): Promise<void> {
    await this.pool.destroy()
  }
}
