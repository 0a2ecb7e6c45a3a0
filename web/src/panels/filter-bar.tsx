import { useLayoutEffect, useState } from 'preact/hooks'
import { noticed } from '../api/notices.ts'
import { type Chip, negateChip } from '../filters/chip.ts'
import { chipLabel } from '../filters/chip-label.ts'
import { Icon } from '../parts/icon.tsx'
import { useExplored } from '../state/explored.ts'
import { setChips, state } from '../state/store.ts'
import { FilterEditor } from './filter-editor.tsx'

/** The filters as chips that can be edited, negated, disabled and removed. */
export function FilterBar() {
  const { chips, sort, columns } = state.value
  // the requests with the new names are answered later
  useLayoutEffect(() => {
    noticed.value = []
  }, [chips, sort, columns])
  const [edited, setEdited] = useState<number | 'new'>()
  const put = (at: number, next: Chip | undefined): void =>
    setChips([...chips.slice(0, at), ...(next === undefined ? [] : [next]), ...chips.slice(at + 1)])
  const one = typeof edited === 'number' ? chips[edited] : undefined
  return (
    <div class="filter-bar">
      <ul class="chips" aria-label="Filters">
        {chips.map((item, i) => (
          <FilterChip
            key={`${item.kind}:${item.text}`}
            one={item}
            onPut={(next) => put(i, next)}
            onEdit={() => setEdited(i)}
          />
        ))}
        <li>
          <button type="button" class="chip add" onClick={() => setEdited('new')}>
            <Icon name="plus" size={14} /> Filter
          </button>
        </li>
        {chips.length > 1 && (
          <li>
            <button type="button" class="chip add" onClick={() => setChips([])}>
              Clear all
            </button>
          </li>
        )}
      </ul>
      {noticed.value.length > 0 && (
        <p class="notices soft" role="status">
          {noticed.value.map((text) => text.replaceAll('`', '')).join(' · ')}
        </p>
      )}
      {edited !== undefined && (edited === 'new' || one !== undefined) && (
        <FilterEditor
          one={one}
          others={chips.filter((_, i) => i !== edited)}
          onClose={() => setEdited(undefined)}
          onSave={(next) => {
            if (edited === 'new') setChips([...chips, next])
            else put(edited, next)
            setEdited(undefined)
          }}
        />
      )}
    </div>
  )
}

interface ChipProps {
  readonly one: Chip
  readonly onPut: (next: Chip | undefined) => void
  readonly onEdit: () => void
}

function FilterChip({ one, onPut, onEdit }: ChipProps) {
  const { fields, paths } = useExplored()
  const label = chipLabel(one, fields, paths.time)
  const negated = negateChip(one)
  return (
    <li class="chip" data-off={one.off}>
      <button
        type="button"
        class="chip-text"
        title={`Edit ${one.text}`}
        aria-label={`Edit filter ${label}`}
        onClick={onEdit}
      >
        {label}
      </button>
      <button
        type="button"
        class="chip-tool"
        title={negated === undefined ? 'This filter cannot be negated' : 'Negate'}
        aria-label={`Negate filter ${label}`}
        disabled={negated === undefined}
        onClick={() => onPut(negated)}
      >
        <Icon name="not" size={13} />
      </button>
      <button
        type="button"
        class="chip-tool"
        aria-pressed={one.off}
        title={one.off ? 'Turn on' : 'Turn off'}
        aria-label={`Turn filter ${label} ${one.off ? 'on' : 'off'}`}
        onClick={() => onPut({ ...one, off: !one.off })}
      >
        <Icon name="power" size={13} />
      </button>
      <button
        type="button"
        class="chip-tool"
        title="Remove"
        aria-label={`Remove filter ${label}`}
        onClick={() => onPut(undefined)}
      >
        <Icon name="close" size={13} />
      </button>
    </li>
  )
}
