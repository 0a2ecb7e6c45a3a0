import type { Counted } from '../api/answers.ts'
import { useQuery } from '../api/use-query.ts'
import type { Chip } from '../filters/chip.ts'
import { chipLabel } from '../filters/chip-label.ts'
import { formatCount } from '../format/numbers.ts'
import { useExplored } from '../state/explored.ts'
import { setChips, state } from '../state/store.ts'
import { countPath } from '../state/widget-query.ts'

const MOST = 8

/** Shown if nothing matches: lists each filter with the number of documents without it. */
export function EmptyResult() {
  const active = state.value.chips.filter(({ off }) => !off)
  return (
    <div class="empty-result">
      <p>Nothing matches.</p>
      <ul>
        {active.slice(0, MOST).map((one) => (
          <WithoutFilter key={`${one.kind}${one.text}`} one={one} />
        ))}
      </ul>
    </div>
  )
}

function WithoutFilter({ one }: { readonly one: Chip }) {
  const { collection, fields, paths } = useExplored()
  const others = state.value.chips.filter((other) => other !== one)
  const { data } = useQuery<Counted>(countPath(collection, others))
  const label = chipLabel(one, fields, paths.time)
  if (data === undefined) return null
  return (
    <li>
      {data.totalnb === 0 ? (
        <span class="soft">Without {label}: still nothing</span>
      ) : (
        <>
          Without <em>{label}</em>: {formatCount(data.totalnb)}{' '}
          <button type="button" class="button small" onClick={() => setChips(others)}>
            Remove it
          </button>
        </>
      )}
    </li>
  )
}
