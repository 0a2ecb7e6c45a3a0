import { type LiveEvent, mergeChanges, printLiveEvent } from './live-change.ts'
import type { LiveFeed, SeenEvent } from './live-feed.ts'

/** Milliseconds between two signs of life, so that proxies keep the connection. */
const HEARTBEAT_MS = 15_000

/** Milliseconds after which clients connect again when a stream ends. */
const RETRY_MS = 1_000

/**
 * Prints the events of a feed until `signal` aborts. Events that the client has not read yet are merged into one, so the
 * memory of a stream is bounded. `release` is called once, when the stream ends.
 */
export function liveStream(
  feed: LiveFeed,
  seen: SeenEvent | undefined,
  signal: AbortSignal,
  release: () => void,
): AsyncIterable<string> {
  let pending: LiveEvent | undefined
  let wake: () => void = () => undefined
  let isReleased = false
  const unlisten = feed.listen((event) => {
    pending = merged(pending, event)
    wake()
  })
  const first = feed.resume(seen)
  const end = (): void => {
    if (isReleased) return
    isReleased = true
    unlisten()
    release()
  }
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()

  const onWake = (done: () => void): void => {
    wake = done
  }

  async function* events(): AsyncIterable<string> {
    try {
      yield `retry: ${RETRY_MS}\n\n${first.map(printLiveEvent).join('')}`
      while (!signal.aborted) {
        if (pending === undefined) await waiting(signal, onWake)
        if (signal.aborted) return
        const event = pending
        pending = undefined
        yield event === undefined ? ': still here\n\n' : printLiveEvent(event)
      }
    } finally {
      end()
    }
  }
  return events()
}

/** Resolves when `onWake` is called, the signal aborts, or it is time for a sign of life. */
function waiting(signal: AbortSignal, onWake: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, HEARTBEAT_MS)
    signal.addEventListener('abort', done, { once: true })
    onWake(done)
  })
}

function merged(a: LiveEvent | undefined, b: LiveEvent): LiveEvent {
  if (a?.kind !== 'change' || b.kind !== 'change') return b
  return { kind: 'change', id: b.id, change: mergeChanges(a.change, b.change) }
}
