import { printBytes, printCount, printDuration } from '../terminal/progress.ts'
import { ProgressLine, type ProgressOutput } from '../terminal/progress-line.ts'

/** Progress of an export; without documents for formats that cannot be counted while they arrive. */
export interface ExportAdvance {
  readonly bytes: number
  readonly documents?: number
}

/** Shows the progress of an export. */
export class ExportProgress {
  readonly #line: ProgressLine
  readonly #total: number

  /** `total`: expected number of documents. */
  constructor(output: ProgressOutput, total: number, now: () => number = () => performance.now()) {
    this.#line = new ProgressLine(output, now)
    this.#total = total
  }

  get seconds(): number {
    return this.#line.seconds
  }

  update(advance: ExportAdvance): void {
    const isCounted = advance.documents !== undefined && this.#total > 0
    this.#line.show(() => this.#describe(advance), isCounted ? (advance.documents ?? 0) / this.#total : undefined)
  }

  clear(): void {
    this.#line.clear()
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
}
