/** How far a load has come. */
export interface Advance {
  readonly bytes: number
  readonly documents: number
  readonly rejected: number
}

export interface ProgressOutput {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

const BAR_MS = 100
const LINE_MS = 5_000

/** Shows how a load advances: a bar that is drawn again and again on a terminal, a line now and then elsewhere. */
export class Progress {
  readonly #output: ProgressOutput
  readonly #total: number | undefined
  readonly #now: () => number
  readonly #started: number
  #shown: number

  constructor(output: ProgressOutput, total: number | undefined, now: () => number = () => performance.now()) {
    this.#output = output
    this.#total = total
    this.#now = now
    this.#started = now()
    this.#shown = this.#started
  }

  get seconds(): number {
    return (this.#now() - this.#started) / 1000
  }

  update(advance: Advance): void {
    const now = this.#now()
    if (now - this.#shown < (this.#output.isTTY === true ? BAR_MS : LINE_MS)) return
    this.#shown = now
    if (this.#output.isTTY === true) this.#output.write(`\r\u001b[2K${this.#bar(advance)}${this.describe(advance)}`)
    else this.#output.write(`${this.describe(advance)}\n`)
  }

  /** Takes the bar away, so that what follows stands on a line of its own. */
  clear(): void {
    if (this.#output.isTTY === true) this.#output.write('\r\u001b[2K')
  }

  describe(advance: Advance): string {
    const speed = this.seconds > 0 ? advance.documents / this.seconds : 0
    const size =
      this.#total === undefined
        ? printBytes(advance.bytes)
        : `${printBytes(advance.bytes)} of ${printBytes(this.#total)}`
    const parts = [size, `${printCount(advance.documents)} documents`, `${printCount(speed)}/s`]
    if (advance.rejected > 0) parts.push(`${printCount(advance.rejected)} rejected`)
    const left = this.#secondsLeft(advance.bytes)
    if (left !== undefined) parts.push(`${printDuration(left)} left`)
    return parts.join(', ')
  }

  #secondsLeft(bytes: number): number | undefined {
    if (this.#total === undefined || bytes <= 0 || bytes >= this.#total) return undefined
    return (this.seconds / bytes) * (this.#total - bytes)
  }

  #bar({ bytes }: Advance): string {
    if (this.#total === undefined || this.#total === 0 || (this.#output.columns ?? 80) < 100) return ''
    const share = Math.min(1, bytes / this.#total)
    const full = Math.round(share * 20)
    return `[${'#'.repeat(full)}${'-'.repeat(20 - full)}] ${String(Math.floor(share * 100)).padStart(3)}%  `
  }
}

export const printCount = (value: number): string => Math.round(value).toLocaleString('en-US')

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
