import type { Clock } from './clock.ts'

/** A clock that only moves when the test moves it. */
export class ManualClock implements Clock {
  #now: number
  #timers: { readonly at: number; readonly work: () => void }[] = []

  constructor(now: number) {
    this.#now = now
  }

  now(): number {
    return this.#now
  }

  after(ms: number, work: () => void): () => void {
    const timer = { at: this.#now + Math.max(0, ms), work }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer)
    }
  }

  /** Time of the next timer. Undefined: none is set. */
  get next(): number | undefined {
    return this.#timers.reduce<number | undefined>((next, { at }) => Math.min(next ?? at, at), undefined)
  }

  moveTo(time: number): void {
    this.#now = Math.max(this.#now, time)
    const due = this.#timers.filter(({ at }) => at <= this.#now).sort((a, b) => a.at - b.at)
    this.#timers = this.#timers.filter(({ at }) => at > this.#now)
    for (const { work } of due) work()
  }

  moveBy(ms: number): void {
    this.moveTo(this.#now + ms)
  }
}
