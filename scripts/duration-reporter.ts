import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

/** Wall time and processor time of one test file. */
export interface FileDuration {
  readonly project: string
  readonly file: string
  /** Seconds since the run began. */
  readonly start: number
  readonly end: number
  /** Seconds spent importing the file and its modules. */
  readonly importing: number
  /** Seconds from the first hook to the last. */
  readonly running: number
  /** Seconds of processor time: in the process of the tests, and in processes that the tests started and ended. */
  readonly own: number
  readonly children: number
  readonly tests: number
  /** The slowest tests, slowest first. */
  readonly slowest: readonly { readonly name: string; readonly seconds: number }[]
}

/** Number of tests kept per file. */
const SLOWEST_TESTS = 5
/** Number of files printed at the end. */
const SLOWEST_FILES = 15

/** Writes how long each test file took to a file, and prints the slowest. */
export class DurationReporter implements Reporter {
  readonly #file: string
  readonly #starts = new Map<string, number>()
  readonly #durations: FileDuration[] = []
  readonly #begin = performance.now()

  constructor(file: string) {
    this.#file = file
  }

  onTestModuleQueued(module: TestModule): void {
    this.#starts.set(module.id, this.#now())
  }

  onTestModuleEnd(module: TestModule): void {
    const end = this.#now()
    const { collectDuration, duration } = module.diagnostic()
    const tests = [...module.children.allTests()]
    this.#durations.push({
      project: module.project.name,
      file: module.relativeModuleId,
      start: this.#starts.get(module.id) ?? end,
      end,
      importing: collectDuration / 1000,
      running: duration / 1000,
      own: module.meta().processor?.own ?? 0,
      children: module.meta().processor?.children ?? 0,
      tests: tests.length,
      slowest: tests
        .map((test) => ({ name: test.fullName, seconds: (test.diagnostic()?.duration ?? 0) / 1000 }))
        .sort((a, b) => b.seconds - a.seconds)
        .slice(0, SLOWEST_TESTS),
    })
  }

  onTestRunEnd(): void {
    writeFileSync(this.#file, JSON.stringify(this.#durations))
    const slowest = this.#durations.toSorted((a, b) => b.running - a.running).slice(0, SLOWEST_FILES)
    console.log('\n Slowest files, in seconds, and their processor time')
    for (const { running, own, children, project, file } of slowest) {
      const [clock, processor] = [running, own + children].map((seconds) => seconds.toFixed(1).padStart(8))
      console.log(`${clock}${processor}  ${project.padEnd(8)} ${file}`)
    }
  }

  #now(): number {
    return (performance.now() - this.#begin) / 1000
  }
}
