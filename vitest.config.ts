import { defineConfig } from 'vitest/config'
import { findClusterTests } from './scripts/cluster/cluster-tests.ts'
import { CountReporter } from './scripts/count-reporter.ts'
import { DurationReporter } from './scripts/duration-reporter.ts'
import { TestOrder } from './scripts/test-order.ts'
import { PATIENT } from './test/support/patience.ts'

const countsFile = process.env.TEST_COUNTS_FILE
/** Output file for the durations of the test files. */
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
/** Read exported files with other programs, which are installed on demand. */
const withReaders = ['test/files/**/*.test.ts']
/** Test the pages in a browser, which is installed on demand. */
const inBrowser = ['test/browser/**/*.test.ts']
/** Check a running server against its OpenAPI document with other programs, which are installed on demand. */
const withCheckers = ['test/openapi/**/*.test.ts']

/** Left out by `npm run test:quick`: files that start processes, send thousands of requests, or take many seconds. */
const slow = [
  'test/{cli,crash,docs,fault,hostile,properties}/**',
  'test/client/generated-client.test.ts',
  'test/conformance/{earlier-*,examples/filter-examples,subscription-vectors}.test.ts',
  'test/http/{api-examples,fair-exports,hostile-areas,read-fairness,leaks/leaks*,subscriptions/subscription-rights,tagging/tagging,tagging/tagging-logs}.test.ts',
  'scripts/**',
  '**/*kafka*.test.ts',
  'src/engine/duckdb/tag/**',
  'src/engine/duckdb/{engine,source-storage,tagged-answers}.test.ts',
  'src/engine/duckdb/aggregate/{grid-key,measure,shape-cell-limit}.test.ts',
  'src/engine/duckdb/search/suggest.test.ts',
  'src/geo/area/prepared-*.test.ts',
]
const isQuick = process.env.TEST_QUICK === 'true'
/** Tests without services; the quick ones include the suites for both engines, on the embedded one. */
const embedded = {
  extends: true as const,
  test: {
    name: 'embedded',
    include,
    exclude: [
      ...(isQuick ? [...whole, ...slow] : onCluster),
      ...[...withReaders, ...inBrowser, ...withCheckers],
      '**/node_modules/**',
    ],
  },
}

export default defineConfig({
  test: {
    // Processes instead of threads, because the native engine has its own threads. Two per core of a small machine,
    // because many tests wait for processes.
    pool: 'forks',
    maxWorkers: 4,
    // Test files share a process. Loading the server for each file doubled the time of small files.
    isolate: false,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    // Only for tests that hang: much longer than any test takes, because the machine may be busy.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    teardownTimeout: 60_000,
    expect: { poll: PATIENT },
    sequence: { sequencer: TestOrder },
    setupFiles: durationsFile === undefined ? [] : ['test/support/processor-time.ts'],
    reporters: [
      'default',
      ...(countsFile === undefined ? [] : [new CountReporter(countsFile)]),
      ...(durationsFile === undefined ? [] : [new DurationReporter(durationsFile)]),
    ],
    // Starts a broker on demand.
    globalSetup: ['test/support/kafka-setup.ts'],
    // The search node is started in the background, and only if a file that needs it is run.
    projects: isQuick
      ? [embedded]
      : [
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
          embedded,
        ],
  },
})
