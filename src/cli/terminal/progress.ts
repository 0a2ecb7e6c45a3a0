import { ProgressLine, type ProgressOutput } from './progress-line.ts'

/** Progress of a load. */
export interface Advance {
  readonly bytes: number
  readonly documents: number
  readonly rejected: number
}

/** Shows the progress of a load. */
export class Progress {
  readonly #line: ProgressLine
  readonly #total: number | undefined

  constructor(output: ProgressOutput, total: number | undefined, now: () => number = () => performance.now()) {
    this.#line = new ProgressLine(output, now)
    this.#total = total
  }

  get seconds(): number {
    return this.#line.seconds
  }

  update(advance: Advance): void {
    this.#line.show(() => this.describe(advance), this.#total ? advance.bytes / this.#total : undefined)
  }

  clear(): void {
    this.#line.clear()
  }

  describe(advance: Advance): string {
    const speed = this.seconds > 0 ? advance.documents / this.seconds : 0
    const size =
      this.#total === undefined
        ? printBytes(advance.bytes)
        : `${printBytes(advance.bytes)} of ${printBytes(this.#total)}`
    const parts = [size, printDocuments(advance.documents), `${printCount(speed)}/s`]
    if (advance.rejected > 0) parts.push(`${printCount(advance.rejected)} rejected`)
    const left = this.#secondsLeft(advance.bytes)
    if (left !== undefined) parts.push(`${printDuration(left)} left`)
    return parts.join(', ')
  }

  #secondsLeft(bytes: number): number | undefined {
    if (this.#total === undefined || bytes <= 0 || bytes >= this.#total) return undefined
    return (this.seconds / bytes) * (this.#total - bytes)
  }
}

export const printCount = (value: number): string => Math.round(value).toLocaleString('en-US')

export const printDocuments = (count: number): string =>
  `${printCount(count)} ${count === 1 ? 'document' : 'documents'}`

export function printBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const units = ['KiB', 'MiB', 'GiB', 'TiB']
  const power = Math.min(units.length, Math.floor(Math.log2(bytes) / 10))
  return `${(bytes / 1024 ** power).toFixed(1)} ${units[power - 1] ?? ''}`
}

export function printDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
}
