import { useRef } from 'preact/hooks'
import type { Counted } from '../api/answers.ts'
import { useQuery } from '../api/use-query.ts'
import { formatCount, formatDocuments } from '../format/numbers.ts'
import { beat, liveTotal, newDocuments } from '../live/live.ts'
import { CurlButton } from '../parts/copy-button.tsx'
import { FaultMessage } from '../parts/messages.tsx'
import { useExplored } from '../state/explored.ts'
import { state } from '../state/store.ts'
import { countPath } from '../state/widget-query.ts'
import { EmptyResult } from './empty-result.tsx'

/** Number of documents selected by the filters, and in total. */
export function Counter() {
  const { collection } = useExplored()
  const { chips } = state.value
  const active = chips.filter(({ off }) => !off)
  const path = countPath(collection, chips)
  const counted = useQuery<Counted>(path, beat.value)
  const total = counted.loading ? counted.data?.totalnb : (liveTotal.value ?? counted.data?.totalnb)
  const isAll = active.length === 0
  // the total is known if it was shown before a filter was added
  const known = useRef<number | undefined>(undefined)
  if (isAll && !counted.loading) known.current = total
  const isKnown = isAll || (known.current !== undefined && state.value.live !== true)
  const asked = useQuery<Counted>(isKnown ? undefined : countPath(collection, []), beat.value)
  const all = asked.data?.totalnb ?? known.current
  if (counted.fault !== undefined) return <FaultMessage fault={counted.fault} retry={counted.retry} />
  return (
    <div class="counter" data-loading={counted.loading}>
      <div class="counter-line" aria-live="polite">
        <strong class="total">{total === undefined ? '…' : formatCount(total)}</strong>
        <span class="soft">
          {isAll || all === undefined ? (total === 1 ? 'document' : 'documents') : `of ${formatDocuments(all)}`}
        </span>
        {newDocuments.value > 0 && <span class="new-mark">+{formatCount(newDocuments.value)}</span>}
        <CurlButton path={path} />
      </div>
      {!isAll && all !== undefined && total !== undefined && (
        <div class="share" aria-hidden="true">
          <i style={{ width: `${all === 0 ? 0 : Math.max(0.5, (100 * total) / all)}%` }} />
        </div>
      )}
      {total === 0 && !isAll && !counted.loading && <EmptyResult />}
      {total === 0 && isAll && !counted.loading && <p class="soft">The collection is empty.</p>}
    </div>
  )
}
