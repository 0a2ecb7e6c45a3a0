import { defineConfig } from 'vitest/config'
import { CountReporter } from './scripts/count-reporter.ts'

const countsFile = process.env.TEST_COUNTS_FILE

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts', 'bench/**/*.test.ts'],
    // the engine is native and keeps threads of its own: processes, not threads, and no more than a small machine has
    globalSetup: ['test/support/cluster-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    reporters: countsFile === undefined ? ['default'] : ['default', new CountReporter(countsFile)],
  },
})
