export interface ProgressOutput {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

const BAR_MS = 100
const LINE_MS = 5_000
const BAR_WIDTH = 20
const WIDE_ENOUGH = 100

/** Progress bar on a terminal, otherwise an occasional line. */
export class ProgressLine {
  readonly #output: ProgressOutput
  readonly #now: () => number
  readonly #started: number
  #shown: number

  constructor(output: ProgressOutput, now: () => number) {
    this.#output = output
    this.#now = now
    this.#started = now()
    this.#shown = this.#started
  }

  get seconds(): number {
    return (this.#now() - this.#started) / 1000
  }

  /** `share`: fraction of the whole, from 0 to 1; absent if unknown. */
  show(describe: () => string, share: number | undefined): void {
    const now = this.#now()
    const isTerminal = this.#output.isTTY === true
    if (now - this.#shown < (isTerminal ? BAR_MS : LINE_MS)) return
    this.#shown = now
    this.#output.write(isTerminal ? `\r\u001b[2K${this.#bar(share)}${describe()}` : `${describe()}\n`)
  }

  /** Removes the bar, so that the following output starts on an empty line. */
  clear(): void {
    if (this.#output.isTTY === true) this.#output.write('\r\u001b[2K')
  }

  #bar(share: number | undefined): string {
    if (share === undefined || (this.#output.columns ?? 80) < WIDE_ENOUGH) return ''
    const full = Math.round(Math.min(1, share) * BAR_WIDTH)
    const percent = Math.floor(Math.min(1, share) * 100)
    return `[${'#'.repeat(full)}${'-'.repeat(BAR_WIDTH - full)}] ${String(percent).padStart(3)}%  `
  }
}
