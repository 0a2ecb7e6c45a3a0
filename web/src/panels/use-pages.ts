import { useLayoutEffect, useState } from 'preact/hooks'
import type { Hit, Hits } from '../api/answers.ts'
import { ask, isAbort, RequestFault } from '../api/request.ts'
import { token } from '../api/session.ts'
import { revision } from '../state/store.ts'

interface Pages {
  /** The request that these pages belong to. */
  readonly request: string
  readonly hits: readonly Hit[]
  readonly total?: number
  /** Cursor of the next page; absent if there is none. */
  readonly after?: string
  readonly isWhole: boolean
  readonly fault?: RequestFault
}

/** Fetches the pages of a search one by one; a new search starts over and aborts pending requests. */
export function usePages(request: string) {
  const [pages, setPages] = useState<Pages>({ request, hits: [], isWhole: false })
  const [wanted, setWanted] = useState(1)
  const [attempt, setAttempt] = useState(0)
  const [loading, setLoading] = useState(true)
  const [signed, round] = [token.value, revision.value]
  const begin = `${request} ${round} ${signed ?? ''}`

  // runs when another page or another search is wanted, not when a page arrives
  useLayoutEffect(() => {
    const isNext = pages.request === begin && pages.hits.length > 0
    if (isNext && pages.isWhole) return
    const controller = new AbortController()
    setLoading(true)
    const path = isNext && pages.after !== undefined ? `${request}&after=${encodeURIComponent(pages.after)}` : request
    ask<Hits>(path, { signal: controller.signal }).then(
      ({ hits, totalnb, links }) => {
        const after = links.next === undefined ? undefined : new URL(links.next.href).searchParams.get('after')
        const known = isNext ? pages.hits : []
        setPages({
          request: begin,
          hits: [...known, ...hits],
          total: totalnb,
          isWhole: !after,
          ...(after ? { after } : {}),
        })
        setLoading(false)
      },
      (error: unknown) => {
        if (controller.signal.aborted || isAbort(error)) return
        const fault =
          error instanceof RequestFault ? error : new RequestFault(0, 'UNREADABLE', 'The response cannot be read')
        setPages({ ...pages, request: begin, hits: isNext ? pages.hits : [], fault })
        setLoading(false)
      },
    )
    return () => controller.abort()
  }, [begin, wanted, attempt])

  const { hits, total, isWhole, fault } = pages
  return {
    hits,
    total,
    isWhole,
    fault,
    loading,
    more: () => setWanted((count) => count + 1),
    retry: () => setAttempt((count) => count + 1),
  }
}
