import { useLayoutEffect, useRef, useState } from 'preact/hooks'
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
  /** Ids of documents that were not there in the round before. */
  readonly fresh: ReadonlySet<string>
  readonly fault?: RequestFault
}

const NONE: ReadonlySet<string> = new Set()

/**
 * Fetches the pages of a search one by one; a new search starts over and aborts pending requests. Another `beat` fetches
 * the first page again, quietly.
 */
export function usePages(request: string, beat: number) {
  const [pages, setPages] = useState<Pages>({ request, hits: [], isWhole: false, fresh: NONE })
  const shownBeat = useRef(beat)
  const [wanted, setWanted] = useState(1)
  const [attempt, setAttempt] = useState(0)
  const [loading, setLoading] = useState(true)
  const [signed, round] = [token.value, revision.value]
  const begin = `${request} ${round} ${signed ?? ''}`

  // runs when another page or another search is wanted, not when a page arrives
  useLayoutEffect(() => {
    const isSame = pages.request === begin && pages.hits.length > 0
    const isBeat = isSame && shownBeat.current !== beat
    shownBeat.current = beat
    const isNext = isSame && !isBeat
    if (isNext && pages.isWhole) return
    const controller = new AbortController()
    if (!isBeat) setLoading(true)
    const path = isNext && pages.after !== undefined ? `${request}&after=${encodeURIComponent(pages.after)}` : request
    ask<Hits>(path, { signal: controller.signal }).then(
      ({ hits, totalnb, links }) => {
        const after = links.next === undefined ? undefined : new URL(links.next.href).searchParams.get('after')
        const known = isNext ? pages.hits : []
        const fresh = isBeat ? newOnes(pages, hits) : isNext ? pages.fresh : NONE
        setPages({
          fresh,
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
  }, [begin, wanted, attempt, beat])

  const { hits, total, isWhole, fresh, fault } = pages
  return {
    hits,
    total,
    isWhole,
    fresh,
    fault,
    loading,
    more: () => setWanted((count) => count + 1),
    retry: () => setAttempt((count) => count + 1),
  }
}

/** Returns the ids of documents that were not shown before. */
function newOnes(before: Pages, hits: readonly Hit[]): ReadonlySet<string> {
  const known = new Set(before.hits.map(({ md }) => md.id))
  return new Set(hits.flatMap(({ md: { id } }) => (id === undefined || known.has(id) ? [] : [id])))
}
