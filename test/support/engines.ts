import { describe } from 'vitest'
import type { LocalHooks } from '../../src/cli/serve/local-services.ts'
import { startClusterServer } from './cluster-server.ts'
import { type ClusterSpace, clusterSpace } from './cluster-space.ts'
import { clusterUrl, hasCluster } from './cluster-url.ts'
import { startEmbeddedServer } from './embedded-server.ts'
import type { RunningServer } from './running-server.ts'

export interface EngineUnderTest {
  readonly name: 'embedded' | 'cluster'
  /** False if the engine rounds coordinates, so vectors tagged `border` may have other results. */
  readonly exactBorders: boolean
  /** False if it cannot be started; its tests are skipped and counted as skipped. */
  readonly available: boolean
  /** Factor of the time for random runs, smaller for an engine in another process. */
  readonly share: number
  /** Starts a server, optionally with settings of the test. */
  readonly start: (
    settings?: Readonly<Record<string, string>>,
    hooks?: Pick<LocalHooks, 'steps'>,
  ) => Promise<RunningServer>
  /** For tests that assemble a server themselves. */
  readonly space?: () => ClusterSpace
}

const embedded: EngineUnderTest = {
  name: 'embedded',
  exactBorders: true,
  available: true,
  share: 1,
  start: startEmbeddedServer,
}
const cluster: EngineUnderTest = {
  name: 'cluster',
  exactBorders: false,
  available: clusterUrl !== '',
  share: 0.4,
  start: (settings, hooks) => startClusterServer(clusterUrl, settings, true, hooks),
  space: () => clusterSpace(clusterUrl),
}

/** Engines on which all suites of `test/conformance` and `test/properties` run; in quick runs the embedded one. */
export const engines: readonly EngineUnderTest[] = hasCluster ? [embedded, cluster] : [embedded]

/** `describe.each` for cases that need an engine. */
export const describeEach =
  <T extends { readonly available: boolean }>(cases: readonly T[]) =>
  (title: string, define: (its: T) => void): void => {
    describe.each(cases.filter((its) => its.available))(title, define)
    describe.skip.each(cases.filter((its) => !its.available))(title, define)
  }
