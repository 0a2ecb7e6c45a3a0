import { batch, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { explorePath } from '../api/explore-path.ts'
import { requestsUnderWay } from '../api/request.ts'
import { token } from '../api/session.ts'
import { filterParameters } from '../filters/chip.ts'
import { useExplored } from '../state/explored.ts'
import { revision, state } from '../state/store.ts'
import { follow, type LiveChange } from './follow.ts'

/** Milliseconds between two refreshes of the widgets, and for which new things are marked. */
const BEAT_MS = 1_000
const MARK_MS = 6_000
/** Milliseconds after which the widgets are refreshed although requests are under way. */
const LONGEST_MS = 5_000

/** Increases when widgets should ask again because documents changed. */
export const beat = signal(0)

/** The change that the last beat is about. */
export const lastChange = signal<LiveChange | undefined>(undefined)

/** Matching documents as the stream tells; undefined while not connected. */
export const liveTotal = signal<number | undefined>(undefined)

/** Inserted documents that are still marked as new. */
export const newDocuments = signal(0)

/** Latest time of the documents that came in. */
export const newestTime = signal<number | undefined>(undefined)

/** Why the stream is not connected; undefined if it is, or if nothing is followed. */
export const liveFault = signal<string | undefined>(undefined)

/** Follows the documents of the filters while the switch is on. */
export function useLive(): void {
  const { collection } = useExplored()
  const { chips, live } = state.value
  const path = explorePath(collection, '_live', filterParameters(chips))
  const [signed, round] = [token.value, revision.value]
  useEffect(() => {
    if (live !== true) return
    const ended = new AbortController()
    const pulse = new Pulse()
    const follower = {
      onTotal: (total: number): void => {
        liveTotal.value = total
      },
      onChange: (change: LiveChange): void => pulse.take(change),
      onFault: (fault: string | undefined): void => {
        liveFault.value = fault
      },
    }
    void follow(path, follower, ended.signal)
    return () => {
      ended.abort()
      // switched off: the widgets agree with the last total
      pulse.end(state.value.live !== true)
      batch(() => {
        liveTotal.value = undefined
        liveFault.value = undefined
        newDocuments.value = 0
      })
    }
  }, [path, live, signed, round])
  useEffect(() => {
    newestTime.value = undefined
  }, [collection])
}

/** Collects changes into beats: at most one per second, and none while widgets still wait for their responses. */
class Pulse {
  #pending: LiveChange | undefined
  #timer = 0
  #unmark = 0
  #beaten = 0

  take(change: LiveChange): void {
    if (change.inserted > 0) this.#mark(change.inserted)
    this.#pending = this.#pending === undefined ? change : merge(this.#pending, change)
    if (this.#timer === 0) this.#schedule(Math.max(0, this.#beaten + BEAT_MS - performance.now()))
  }

  end(isLast: boolean): void {
    clearTimeout(this.#timer)
    clearTimeout(this.#unmark)
    if (isLast && this.#pending !== undefined) this.#send()
  }

  #schedule(ms: number): void {
    this.#timer = window.setTimeout(() => this.#beat(), ms)
  }

  #beat(): void {
    const isBusy = requestsUnderWay() > 0 && performance.now() - this.#beaten < LONGEST_MS
    if (isBusy || document.hidden) {
      this.#schedule(BEAT_MS / 4)
      return
    }
    this.#send()
  }

  #send(): void {
    this.#timer = 0
    this.#beaten = performance.now()
    const change = this.#pending
    this.#pending = undefined
    const newest = change?.newest
    batch(() => {
      if (newest !== undefined) newestTime.value = Math.max(newestTime.value ?? newest, newest)
      lastChange.value = change
      beat.value++
    })
  }

  #mark(count: number): void {
    newDocuments.value += count
    clearTimeout(this.#unmark)
    this.#unmark = window.setTimeout(() => {
      newDocuments.value = 0
    }, MARK_MS)
  }
}

function merge(a: LiveChange, b: LiveChange): LiveChange {
  const [one, other] = [a.extent, b.extent]
  const extent =
    one === undefined || other === undefined
      ? (one ?? other)
      : ([
          Math.min(one[0], other[0]),
          Math.min(one[1], other[1]),
          Math.max(one[2], other[2]),
          Math.max(one[3], other[3]),
        ] as const)
  return {
    total: b.total,
    inserted: a.inserted + b.inserted,
    updated: a.updated + b.updated,
    deleted: a.deleted + b.deleted,
    ...(extent === undefined ? {} : { extent }),
    newest: Math.max(a.newest ?? Number.NEGATIVE_INFINITY, b.newest ?? Number.NEGATIVE_INFINITY),
    complete: a.complete && b.complete,
  }
}
