export interface RunningServer {
  /** `http://127.0.0.1:PORT` */
  readonly base: string
  /** Puts the storage in order at once, as the engine does by itself when no write comes for a while. */
  readonly arrange: () => Promise<void>
  /** Stops it and starts another with the same data; only that one is to be used then. */
  readonly restart: () => Promise<RunningServer>
  readonly stop: () => Promise<void>
}
