import {
  type ConnectionRequestOptions,
  type ConnectionRequestParams,
  errors,
  UndiciConnection,
} from '@elastic/transport'

/**
 * A connection that distinguishes requests cancelled by us from requests broken off by the node. Only the latter count
 * against the node, which is then skipped for a minute.
 */
export class CancellableConnection extends UndiciConnection {
  // The overload that returns a stream is not used.
  override async request(params: ConnectionRequestParams, options: ConnectionRequestOptions): Promise<never> {
    try {
      return (await super.request(params, options)) as never
    } catch (error) {
      if (options.signal?.aborted) throw new errors.RequestAbortedError('Request aborted')
      throw error
    }
  }

  /** Closes immediately: the caller has abandoned pending requests. */
  override async close(): Promise<void> {
    await this.pool.destroy()
  }
}
