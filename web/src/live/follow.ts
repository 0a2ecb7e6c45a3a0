import { RequestFault, send } from '../api/request.ts'
import { readEvents } from './event-reader.ts'

/** What happened to the matching documents, as the server tells it. */
export interface LiveChange {
  readonly total: number
  readonly inserted: number
  readonly updated: number
  readonly deleted: number
  /** West, south, east, north. */
  readonly extent?: readonly [number, number, number, number]
  readonly newest?: number
  readonly complete: boolean
}

interface Follower {
  readonly onTotal: (total: number) => void
  readonly onChange: (change: LiveChange) => void
  /** Undefined: connected. */
  readonly onFault: (fault: string | undefined) => void
}

/** Milliseconds before the first attempt to connect again, and the longest. */
const AGAIN_MS = { first: 500, most: 15_000 }

/** Follows a live stream until the signal aborts; connects again, from the last event, when it ends. */
export async function follow(
  path: string,
  { onTotal, onChange, onFault }: Follower,
  signal: AbortSignal,
): Promise<void> {
  let last = ''
  for (let wait = AGAIN_MS.first; !signal.aborted; wait = Math.min(2 * wait, AGAIN_MS.most)) {
    try {
      const headers = last === '' ? {} : { 'last-event-id': last }
      const { body } = await send(path, { headers, signal })
      onFault(undefined)
      for await (const { id, kind, data } of body === null ? [] : readEvents(body)) {
        wait = AGAIN_MS.first
        last = id
        const told = JSON.parse(data) as LiveChange
        onTotal(told.total)
        if (kind === 'change') onChange(told)
      }
    } catch (error) {
      if (signal.aborted) return
      // a request that is wrong does not become right
      if (error instanceof RequestFault && error.status >= 400 && error.status < 500 && error.status !== 429) {
        return onFault(error.message)
      }
      onFault('Connecting again')
    }
    await pause(wait, signal)
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
