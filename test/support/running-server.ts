export interface RunningServer {
  /** `http://127.0.0.1:PORT` */
  readonly base: string
  /** Arranges the storage now instead of waiting until the index is idle. */
  readonly arrange: () => Promise<void>
  /** Stops the server and starts another one on the same data, which must be used from then on. */
  readonly restart: () => Promise<RunningServer>
  readonly stop: () => Promise<void>
}
