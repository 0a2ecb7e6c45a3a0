import { useState } from 'preact/hooks'
import type { Bounds } from '../filters/triplet.ts'
import { fromInput, toInput } from '../format/dates.ts'

/** Inputs for the ends of a time span. */
export function SpanInputs({
  selection,
  onSelect,
}: {
  readonly selection: Bounds
  readonly onSelect: (bounds: Bounds) => void
}) {
  const [from, setFrom] = useState(toInput(selection.from))
  const [to, setTo] = useState(toInput(selection.to))
  const [start, end] = [fromInput(from), fromInput(to)]
  const isSpan = start !== undefined && end !== undefined && start < end
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault()
        if (isSpan) onSelect({ from: start, to: end })
      }}
    >
      <label>
        From (UTC)
        <input type="datetime-local" step="1" value={from} onInput={(event) => setFrom(event.currentTarget.value)} />
      </label>
      <label>
        To (UTC)
        <input type="datetime-local" step="1" value={to} onInput={(event) => setTo(event.currentTarget.value)} />
      </label>
      {!isSpan && <p class="problem">The end must be later than the start.</p>}
      <button type="submit" class="button primary" disabled={!isSpan}>
        Apply
      </button>
    </form>
  )
}
