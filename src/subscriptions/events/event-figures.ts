import type { EventSource, EventState } from '../record/subscription-event.ts'

/** Counters of events since the start, for the metrics. */
export class EventFigures {
  readonly #counts = new Map<string, { readonly source: EventSource; readonly state: EventState; count: number }>()
  readonly #matchSeconds: ((seconds: number) => void)[] = []

  /** PENDING counts accepted events. */
  count(source: EventSource, state: EventState, by = 1): void {
    if (by === 0) return
    const key = `${source} ${state}`
    const known = this.#counts.get(key)
    if (known === undefined) this.#counts.set(key, { source, state, count: by })
    else known.count += by
  }

  /** `periplus_events_total{source,state}` */
  counts(): readonly { readonly source: EventSource; readonly state: EventState; readonly count: number }[] {
    return [...this.#counts.values()]
  }

  /** `periplus_match_seconds`: duration of each batch. */
  onMatched(listener: (seconds: number) => void): void {
    this.#matchSeconds.push(listener)
  }

  matched(seconds: number): void {
    for (const listener of this.#matchSeconds) listener(seconds)
  }
}
