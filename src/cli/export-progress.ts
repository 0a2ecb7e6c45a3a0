import { type ProgressOutput, printBytes, printCount, printDuration } from './progress.ts'

/** How far an export has come; formats that cannot be counted on the way have no documents. */
export interface ExportAdvance {
  readonly bytes: number
  readonly documents?: number
}

const BAR_MS = 100
const LINE_MS = 5_000
const BAR_WIDTH = 20
const WIDE_ENOUGH = 100

/** Shows how an export advances: a bar that is drawn again and again on a terminal, a line now and then elsewhere. */
export class ExportProgress {
  readonly #output: ProgressOutput
  readonly #total: number
  readonly #now: () => number
  readonly #started: number
  #shown: number

  /** `total`: documents there will be. */
  constructor(output: ProgressOutput, total: number, now: () => number = () => performance.now()) {
    this.#output = output
    this.#total = total
    this.#now = now
    this.#started = now()
    this.#shown = this.#started
  }

  get seconds(): number {
    return (this.#now() - this.#started) / 1000
  }

  update(advance: ExportAdvance): void {
    const now = this.#now()
    const isTerminal = this.#output.isTTY === true
    if (now - this.#shown < (isTerminal ? BAR_MS : LINE_MS)) return
    this.#shown = now
    const text = this.#describe(advance)
    this.#output.write(isTerminal ? `\r\u001b[2K${this.#bar(advance)}${text}` : `${text}\n`)
  }

  /** Takes the bar away, so that what follows stands on a line of its own. */
  clear(): void {
    if (this.#output.isTTY === true) this.#output.write('\r\u001b[2K')
  }

  #describe({ bytes, documents }: ExportAdvance): string {
    if (documents === undefined) return printBytes(bytes)
    const speed = this.seconds > 0 ? documents / this.seconds : 0
    const parts = [
      `${printCount(documents)} of ${printCount(this.#total)} documents`,
      printBytes(bytes),
      `${printCount(speed)}/s`,
    ]
    if (documents > 0 && documents < this.#total) {
      parts.push(`${printDuration((this.seconds / documents) * (this.#total - documents))} left`)
    }
    return parts.join(', ')
  }

  #bar({ documents }: ExportAdvance): string {
    if (documents === undefined || this.#total === 0 || (this.#output.columns ?? 80) < WIDE_ENOUGH) return ''
    const share = Math.min(1, documents / this.#total)
    const full = Math.round(share * BAR_WIDTH)
    return `[${'#'.repeat(full)}${'-'.repeat(BAR_WIDTH - full)}] ${String(Math.floor(share * 100)).padStart(3)}%  `
  }
}
