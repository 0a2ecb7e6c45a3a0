import { describe } from 'vitest'
import type { LocalHooks } from '../../src/cli/serve/local-services.ts'
import { startClusterServer } from './cluster-server.ts'
import { type ClusterSpace, clusterSpace } from './cluster-space.ts'
import { clusterUrl } from './cluster-url.ts'
import { startEmbeddedServer } from './embedded-server.ts'
import type { RunningServer } from './running-server.ts'

export interface EngineUnderTest {
  readonly name: 'embedded' | 'cluster'
  /** False: coordinates are rounded by the engine, so vectors tagged `border` may answer otherwise. */
  readonly exactBorders: boolean
  /** False where it cannot be started: what is to run on it is skipped, and counted so. */
  readonly available: boolean
  /** How much of the time for random tries it gets: one that answers through another process takes its time. */
  readonly share: number
  /** With settings of the test, when it has some. */
  readonly start: (
    settings?: Readonly<Record<string, string>>,
    hooks?: Pick<LocalHooks, 'steps'>,
  ) => Promise<RunningServer>
  /** For tests that put a server together themselves. */
  readonly space?: () => ClusterSpace
}

/** Every suite of `test/conformance` and `test/properties` runs on each of these. */
export const engines: readonly EngineUnderTest[] = [
  { name: 'embedded', exactBorders: true, available: true, share: 1, start: startEmbeddedServer },
  {
    name: 'cluster',
    exactBorders: false,
    available: clusterUrl !== '',
    share: 0.4,
    start: (settings, hooks) => startClusterServer(clusterUrl, settings, true, hooks),
    space: () => clusterSpace(clusterUrl),
  },
]

/** `describe.each` for cases that need an engine. */
export const describeEach =
  <T extends { readonly available: boolean }>(cases: readonly T[]) =>
  (title: string, define: (its: T) => void): void => {
    describe.each(cases.filter((its) => its.available))(title, define)
    describe.skip.each(cases.filter((its) => !its.available))(title, define)
  }
