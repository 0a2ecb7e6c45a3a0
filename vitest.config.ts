import { defineConfig } from 'vitest/config'
import { findClusterTests } from './scripts/cluster-tests.ts'
import { CountReporter } from './scripts/count-reporter.ts'
import { DurationReporter } from './scripts/duration-reporter.ts'
import { TestOrder } from './scripts/test-order.ts'
import { PATIENT } from './test/support/patience.ts'

const countsFile = process.env.TEST_COUNTS_FILE
/** A file to write the durations of the test files to. */
const durationsFile = process.env.TEST_DURATIONS_FILE

const include = [
  'src/**/*.test.ts',
  'web/**/*.test.ts',
  'test/**/*.test.ts',
  'scripts/**/*.test.ts',
  'bench/**/*.test.ts',
]
const { whole, partly } = findClusterTests(import.meta.dirname, include)
const onCluster = [...whole, ...partly]
/** Their files are read with programs that are installed for them. */
const withReaders = ['test/files/**/*.test.ts']
/** The explorer page in a browser that is installed for them. */
const inBrowser = ['test/browser/**/*.test.ts']
/** The OpenAPI document against a running server, by programs that are installed for them. */
const withCheckers = ['test/openapi/**/*.test.ts']

export default defineConfig({
  test: {
    // the engine is native and keeps threads of its own: processes, not threads, and no more than a small machine has
    pool: 'forks',
    maxWorkers: 3,
    // files follow one another in a process: small ones took twice the time when each loaded the server anew
    isolate: false,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    // they end what hangs, and are longer than anything takes, because the machine may be busy with others
    testTimeout: 600_000,
    hookTimeout: 600_000,
    teardownTimeout: 60_000,
    expect: { poll: PATIENT },
    sequence: { sequencer: TestOrder },
    reporters: [
      'default',
      ...(countsFile === undefined ? [] : [new CountReporter(countsFile)]),
      ...(durationsFile === undefined ? [] : [new DurationReporter(durationsFile)]),
    ],
    // a broker is started for whoever asks for it
    globalSetup: ['test/support/kafka-setup.ts'],
    // the search node is started in the background, and only if a file that needs it is run
    projects: [
      {
        extends: true,
        test: {
          name: 'cluster',
          include: onCluster,
          globalSetup: ['test/support/cluster-setup.ts'],
          runner: 'test/support/cluster-runner.ts',
          provide: { needsCluster: whole },
        },
      },
      {
        extends: true,
        test: {
          name: 'files',
          include: withReaders,
          exclude: onCluster,
          globalSetup: ['test/files/reader-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: inBrowser,
          globalSetup: ['test/browser/browser-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'openapi',
          include: withCheckers,
          globalSetup: ['test/openapi/checker-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'embedded',
          include,
          exclude: [...onCluster, ...withReaders, ...inBrowser, ...withCheckers, '**/node_modules/**'],
        },
      },
    ],
  },
})
