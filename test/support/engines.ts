import { startEmbeddedServer } from './embedded-server.ts'

export interface RunningServer {
  /** `http://127.0.0.1:PORT` */
  readonly base: string
  /** Puts the storage in order at once, as the engine does by itself when no write comes for a while. */
  readonly arrange: () => Promise<void>
  readonly stop: () => Promise<void>
}

export interface EngineUnderTest {
  readonly name: string
  /** False: coordinates are rounded by the engine, so vectors tagged `border` may answer otherwise. */
  readonly exactBorders: boolean
  readonly start: () => Promise<RunningServer>
}

/** Every suite of `test/conformance` and `test/properties` runs on each of these. */
export const engines: readonly EngineUnderTest[] = [
  { name: 'embedded', exactBorders: true, start: startEmbeddedServer },
]
