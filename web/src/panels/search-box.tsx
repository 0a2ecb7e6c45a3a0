import { useId, useState } from 'preact/hooks'
import type { Suggested } from '../api/answers.ts'
import { explorePath } from '../api/explore-path.ts'
import { useDelayed } from '../api/use-delayed.ts'
import { useQuery } from '../api/use-query.ts'
import { filterParameters, toggleValue } from '../filters/chip.ts'
import { formatCount } from '../format/numbers.ts'
import { Icon } from '../parts/icon.tsx'
import { fieldName, useExplored } from '../state/explored.ts'
import { addChip, setChips, state } from '../state/store.ts'

/** Suggestions are rendered beside the input, which has no list element. */
const COMBOBOX = { role: 'combobox' } as const

/** Full-text search with suggestions of words and values. */
export function SearchBox() {
  const explored = useExplored()
  const { collection, fields } = explored
  const [text, setText] = useState('')
  const [active, setActive] = useState(-1)
  const [open, setOpen] = useState(false)
  const id = useId()
  const word = useDelayed(text.trim(), 180)
  const filters = filterParameters(state.value.chips).filter(([name]) => name === 'f')
  const request =
    word === '' || !open ? undefined : explorePath(collection, '_suggest', [['q', word], ['size', '8'], ...filters])
  const suggestions = useQuery<Suggested>(request).data?.suggestions ?? []

  const choose = (index: number): void => {
    const one = suggestions[index]
    const isKeyword = fields.find(({ path }) => path === one?.field)?.type === 'KEYWORD'
    if (one === undefined) addText(text.trim())
    else if (isKeyword) setChips(toggleValue(state.value.chips, one.field, one.text))
    else addText(`${one.field}:${one.text}`)
    setText('')
    setActive(-1)
    setOpen(false)
  }

  return (
    <search class="search-box">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (active >= 0 || text.trim() !== '') choose(active)
        }}
      >
        <Icon name="search" size={16} />
        <input
          type="search"
          list={undefined}
          {...COMBOBOX}
          value={text}
          placeholder="Search words and values"
          aria-label="Full-text search"
          aria-autocomplete="list"
          aria-expanded={open && suggestions.length > 0}
          aria-controls={id}
          {...(active >= 0 ? { 'aria-activedescendant': `${id}-${active}` } : {})}
          onInput={(event) => {
            setText(event.currentTarget.value)
            setActive(-1)
            setOpen(true)
          }}
          onFocus={() => setOpen(true)}
          onBlur={() => setOpen(false)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') setOpen(false)
            const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
            if (by === 0 || suggestions.length === 0) return
            event.preventDefault()
            setActive((active + by + suggestions.length + 1) % (suggestions.length + 1))
          }}
        />
        {open && text.trim() !== '' && suggestions.length > 0 && (
          <div class="popover start suggestions" id={id} role="listbox" aria-label="Suggestions">
            {suggestions.map(({ field, text: term, count }, i) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keyboard
              <div
                key={`${field} ${term}`}
                id={`${id}-${i}`}
                role="option"
                tabIndex={-1}
                aria-selected={i === active}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => choose(i)}
              >
                <span>{term}</span>
                <span class="soft">
                  {fieldName(explored, field)} · {formatCount(count)}
                </span>
              </div>
            ))}
          </div>
        )}
      </form>
    </search>
  )
}

/** Escapes semicolons, which would start another alternative. */
const addText = (text: string): void => addChip(text.replaceAll(/(?<!\\);/g, '\\;'), 'q')
