import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { revision } from '../state/store.ts'
import { ask, isAbort, RequestFault } from './request.ts'
import { token } from './session.ts'

/** State of a request. The last answer stays while the next one is loading. */
interface Query<T> {
  readonly data?: T
  readonly fault?: RequestFault
  readonly loading: boolean
  readonly retry: () => void
}

interface Known<T> {
  readonly path?: string
  readonly data?: T
  readonly fault?: RequestFault
  readonly loading: boolean
}

/**
 * Fetches a path whenever it changes and aborts the outdated request. Without a path, nothing is fetched and the state
 * is empty. Another `round` fetches it again without showing that it is loading.
 */
export function useQuery<T>(path: string | undefined, round = 0): Query<T> {
  const [known, setKnown] = useState<Known<T>>({ loading: path !== undefined })
  const [attempt, setAttempt] = useState(0)
  const collection = useRef<string | undefined>(undefined)
  const asked = useRef('')
  const [signed, reloaded] = [token.value, revision.value]

  // a layout effect, to send the request before the next frame; a new token, revision, attempt or round fetches again
  useLayoutEffect(() => {
    if (path === undefined) {
      setKnown({ loading: false })
      return
    }
    const controller = new AbortController()
    const owner = path.split('/', 2).join('/')
    const isSame = collection.current === owner
    collection.current = owner
    const question = [path, signed, reloaded, attempt].join(' ')
    const isQuiet = asked.current === question
    asked.current = question
    if (!isQuiet) setKnown(({ data }) => ({ loading: true, ...(isSame && data !== undefined ? { data } : {}) }))
    ask<T>(path, { signal: controller.signal }).then(
      (data) => setKnown({ path, data, loading: false }),
      (error: unknown) => {
        if (controller.signal.aborted || isAbort(error)) return
        const fault =
          error instanceof RequestFault ? error : new RequestFault(0, 'UNREADABLE', 'The response cannot be read')
        setKnown({ path, fault, loading: false })
      },
    )
    return () => controller.abort()
  }, [path, signed, reloaded, attempt, round])

  return { ...known, retry: () => setAttempt((count) => count + 1) }
}
